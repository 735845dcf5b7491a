package registry

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// LayoutDigest tells layouts apart: it covers every column that is stored or was, with all that R43 names (R81). Key, logging
// and object ids are not in it.
func LayoutDigest(v *schema.Version) string {
	s := layout(v)
	return digest(s.appendColumns(nil))
}

// VersionDigest tells versions apart: the layout, the key and the supplemental logging (R108). Object ids change without
// a new version.
func VersionDigest(v *schema.Version) string {
	s := layout(v)
	b := s.appendColumns(nil)
	b = s.appendKey(b)
	return digest(appendText(b, string(v.Logging)))
}

// layout leaves out what is not said of a column but of the rows that it may have.
func layout(v *schema.Version) storedVersion {
	s := store(v)
	for i := range s.columns {
		s.columns[i].Undefaulted = false
	}
	return s
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
