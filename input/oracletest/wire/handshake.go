package wire

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/tns"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// connect holds the exchange up to ACCEPT, in packets of 16-bit length and before there is a reader
// goroutine.
func (c *connection) connect() error {
	p, err := tns.ReadPacket(c.conn, false)
	if err != nil {
		return err
	}
	var request tns.Connect
	if err := request.Decode(p); err != nil {
		return err
	}
	if request.Data == "" && request.DataLength > 0 {
		if request.Data, err = c.connectData(); err != nil {
			return err
		}
	}
	if err := c.connectFault(request.Data); err != nil {
		return err
	}
	answer, ok := tns.Answer(request, c.server.config.SDU)
	if !ok {
		return c.refuse(oraVersionsMismatch)
	}
	service, err := tns.Service(request.Data)
	if err != nil || !c.server.config.Backend.Service(service) {
		return c.refuse(oraUnknownService)
	}
	c.service = service
	c.wide, c.out.wide, c.out.sdu = true, true, answer.SDU
	return c.out.write(answer.Encode(nil))
}

// connectData reads a connect descriptor that was too long for the CONNECT packet.
func (c *connection) connectData() (string, error) {
	p, err := tns.ReadPacket(c.conn, false)
	if err != nil {
		return "", err
	}
	_, data, err := p.Data()
	return string(data), err
}

func (c *connection) refuse(code int) error {
	if err := c.out.write(tns.Refuse{Code: code}.Encode(nil)); err != nil {
		return err
	}
	return errEnd
}

// negotiate settles the protocol and the data types. python-oracledb sends a network services block in
// front, whatever ACCEPT said.
func (c *connection) negotiate() error {
	code := c.reader.U8()
	if ttc.Code(code) == ttc.CodeNetworkServices {
		var services ttc.NetworkServices
		if err := services.Decode(c.reader); err != nil {
			return err
		}
		c.out.body = services.Encode(c.out.body)
		if err := c.out.send(true); err != nil {
			return err
		}
		code = c.reader.U8()
	}
	if err := c.protocol(ttc.Code(code)); err != nil {
		return err
	}
	return c.dataTypes()
}

func (c *connection) protocol(code ttc.Code) error {
	if code != ttc.CodeProtocol {
		c.reader.Fail("message %d instead of the protocol", code)
	}
	var request ttc.ProtocolRequest
	if err := request.Decode(c.reader); err != nil {
		return err
	}
	c.client = request.Client
	c.out.body = ttc.ProtocolAnswer{
		Banner:       protocolBanner,
		CompileTime:  ttc.CompileTime(c.server.config.FieldVersion),
		RunTimeFlags: ttc.RunTime(),
	}.Encode(c.out.body)
	return c.out.send(true)
}

func (c *connection) dataTypes() error {
	if code := c.reader.U8(); ttc.Code(code) != ttc.CodeDataTypes {
		c.reader.Fail("message %d instead of the data types", code)
	}
	var request ttc.DataTypesRequest
	if err := request.Decode(c.reader); err != nil {
		return err
	}
	c.dialect = request.Dialect(c.server.config.FieldVersion)
	c.out.body = ttc.DataTypesAnswer{TimeZone: request.TimeZone}.Encode(c.out.body)
	return c.out.send(true)
}
