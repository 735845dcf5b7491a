package wire

import (
	"net"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/tns"
)

// ahead is how many bytes of an answer are collected before they are sent.
const ahead = 64 << 10

// output collects the messages of an answer and cuts them into packets. Its buffers are reused from answer
// to answer.
type output struct {
	conn  net.Conn
	wide  bool
	sdu   int
	body  []byte // messages that are not sent yet
	frame []byte
}

// full reports whether it is time to send what there is.
func (o *output) full() bool { return len(o.body) >= max(ahead, o.sdu) }

// drop forgets what is not sent.
func (o *output) drop() { o.body = o.body[:0] }

// send sends what there is: whole packets only, unless all is asked for.
func (o *output) send(all bool) error {
	payload := tns.Payload(o.sdu)
	rest := o.body
	o.frame = o.frame[:0]
	for len(rest) >= payload || all && len(rest) > 0 {
		n := min(payload, len(rest))
		o.frame = tns.AppendData(o.frame, o.wide, 0, rest[:n])
		rest = rest[n:]
	}
	o.body = o.body[:copy(o.body, rest)]
	return o.write(o.frame)
}

// marker sends markers.
func (o *output) marker(markers ...tns.Marker) error {
	o.frame = o.frame[:0]
	for _, m := range markers {
		o.frame = tns.AppendMarker(o.frame, o.wide, m)
	}
	return o.write(o.frame)
}

func (o *output) write(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	_, err := o.conn.Write(b)
	return err
}
