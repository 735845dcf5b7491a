package debezium

import "strconv"

// Heartbeats renders heartbeats: Debezium's ServerNameKey and Heartbeat.
type Heartbeats struct {
	key                  []byte
	valueOpen, valueTail string
}

// NewHeartbeats prepares them. The error says that the prefix is not UTF-8.
func NewHeartbeats(s Settings) (*Heartbeats, error) {
	s = s.withDefaults()
	key, val := required("struct").named("io.debezium.connector.common.ServerNameKey"), required("struct").named("io.debezium.connector.common.Heartbeat")
	key.fields = []connectField{{"serverName", required("string")}}
	val.fields = []connectField{{"ts_ms", required("int64")}}
	open, end, err := s.keyEncoding().wrap(&key)
	if err != nil {
		return nil, err
	}
	h := &Heartbeats{}
	if h.key, err = appendText(append([]byte(open), `{"serverName":`...), s.Server); err != nil {
		return nil, err
	}
	h.key = append(append(h.key, '}'), end...)
	if open, end, err = s.Encoding.wrap(&val); err != nil {
		return nil, err
	}
	h.valueOpen, h.valueTail = open+`{"ts_ms":`, "}"+end
	return h, nil
}

// Key gives the key of every heartbeat; it is not changed.
func (h *Heartbeats) Key() []byte { return h.key }

// AppendValue appends the value of a heartbeat; millis counts from the epoch.
func (h *Heartbeats) AppendValue(dst []byte, millis int64) []byte {
	return append(strconv.AppendInt(append(dst, h.valueOpen...), millis, 10), h.valueTail...)
}
