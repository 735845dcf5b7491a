package ttc

// Keywords of the session settings in message 23.
const (
	NLSDateFormat uint32 = 7
	NLSTerritory  uint32 = 9
	NLSCharset    uint32 = 10
	NLSLanguage   uint32 = 16
	NLSTimeZone   uint32 = 163
)

// SessionSetting is one setting of a session.
type SessionSetting struct {
	Keyword uint32
	Value   string
}

// SessionSettings is message 23 with code 5: the language settings of the session, which go-ora otherwise
// asks for with a PL/SQL block (reference tns-server 5.4).
type SessionSettings struct {
	Settings []SessionSetting
}

// Encode appends the message.
func (m SessionSettings) Encode(dst []byte) []byte {
	dst = append(dst, byte(CodeServerPiggyback), 5)
	dst = appendUB(dst, 1)
	dst = append(dst, 0)
	dst = appendUB(dst, uint64(len(m.Settings)))
	dst = append(dst, 0)
	for _, s := range m.Settings {
		dst = append(dst, 0) // no text
		dst = appendDlc(dst, s.Value)
		dst = appendUB(dst, uint64(s.Keyword))
	}
	return append(dst, 0)
}
