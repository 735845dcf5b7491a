package ttc

import (
	"errors"
	"strings"
)

const (
	rowIDLength = 18
	rowIDDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	// rowIDMark is the first byte of a ROWID that is not NULL.
	rowIDMark = 14
)

var errRowID = errors.New("not a ROWID")

// appendRowID appends a ROWID, which has a form of its own (reference tns-server 8): object, file, block
// and slot, the four parts of the 18 characters.
func appendRowID(dst []byte, text string) ([]byte, error) {
	if len(text) != rowIDLength {
		return dst, errRowID
	}
	var parts [4]uint64
	for i, part := range [4]string{text[:6], text[6:9], text[9:15], text[15:]} {
		for _, c := range []byte(part) {
			digit := strings.IndexByte(rowIDDigits, c)
			if digit < 0 {
				return dst, errRowID
			}
			parts[i] = parts[i]<<6 | uint64(digit)
		}
	}
	dst = append(dst, rowIDMark)
	dst = appendUB(dst, parts[0])
	dst = appendUB(dst, parts[1])
	dst = append(dst, 0)
	dst = appendUB(dst, parts[2])
	return appendUB(dst, parts[3]), nil
}
