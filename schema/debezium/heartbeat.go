package debezium

import "strconv"

// AppendHeartbeatKey appends the key of heartbeats, Debezium's ServerNameKey. The error says that the prefix is not UTF-8.
func AppendHeartbeatKey(dst []byte, server string) ([]byte, error) {
	dst, err := appendText(append(dst, `{"serverName":`...), server)
	if err != nil {
		return dst, err
	}
	return append(dst, '}'), nil
}

// AppendHeartbeatValue appends the value of a heartbeat, Debezium's Heartbeat; millis counts from the epoch.
func AppendHeartbeatValue(dst []byte, millis int64) []byte {
	return append(strconv.AppendInt(append(dst, `{"ts_ms":`...), millis, 10), '}')
}
