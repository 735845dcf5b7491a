package wire

import (
	"context"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// lobCall answers function 0x60. Its answer ends with a summary: python-oracledb goes on waiting behind a
// status (reference tns-server 9).
func (c *connection) lobCall() error {
	var request ttc.LobRequest
	if err := request.Decode(c.reader); err != nil {
		return err
	}
	return c.answer(call{
		moment: moment{call: CallLob},
		run:    func(context.Context) error { return c.lobOperation(&request) },
		end:    func() { c.summarize(ttc.Summary{}) },
	})
}

func (c *connection) lobOperation(request *ttc.LobRequest) error {
	if operation, array := request.Array(); array || operation == ttc.LobFreeTemporary {
		if err := c.freeLobs(request); err != nil {
			return err
		}
		c.out.body = ttc.LobAnswer{Request: request}.Encode(c.out.body, c.dialect)
		return nil
	}
	answer := ttc.LobAnswer{Request: request, Amount: request.Amount}
	if request.Operation == ttc.LobCreateTemporary {
		l, err := c.createTemporary(request)
		if err != nil {
			return err
		}
		locator := l.locator()
		answer.Locator = &locator
		c.out.body = answer.Encode(c.out.body, c.dialect)
		return nil
	}
	l, err := c.lobs.find(request.Locators)
	if err != nil {
		return err
	}
	if err := c.lobWork(l, request, &answer); err != nil {
		return err
	}
	c.out.body = answer.Encode(c.out.body, c.dialect)
	return nil
}

// lobWork does an operation on one LOB and completes its answer.
func (c *connection) lobWork(l *lob, request *ttc.LobRequest, answer *ttc.LobAnswer) error {
	switch request.Operation {
	case ttc.LobGetLength:
		answer.Amount = uint64(l.length())
	case ttc.LobGetChunkSize:
		answer.Amount = ttc.LobChunkSize
	case ttc.LobRead:
		data := c.lobs.read(l, max(request.Offset, 1)-1, request.Amount)
		answer.Amount = uint64(len(data) / l.unit())
		return c.sendLobData(data)
	case ttc.LobWrite:
		return c.lobs.write(l, max(request.Offset, 1)-1, request.Data)
	case ttc.LobTrim:
		return c.lobs.trim(l, request.Amount)
	case ttc.LobOpen:
		if l.open {
			return Errorf(oraLobOpen, "cannot open a LOB that is already opened")
		}
		l.open = true
	case ttc.LobClose:
		if !l.open {
			return Errorf(oraLobNotOpen, "cannot perform operation on an unopened file or LOB")
		}
		l.open = false
	case ttc.LobIsOpen:
		answer.Flag = l.open
	default:
		return notImplemented(fmt.Sprintf("LOB operation 0x%x", uint32(request.Operation)))
	}
	return nil
}

// sendLobData appends content, and sends what has become large.
func (c *connection) sendLobData(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	var rest ttc.LobData
	c.out.body, rest = ttc.NewLobData(c.out.body, data)
	for more := true; more; {
		if c.out.body, more = rest.Append(c.out.body); c.out.full() {
			if err := c.stream(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *connection) createTemporary(request *ttc.LobRequest) (*lob, error) {
	t := datum.Type{Code: datum.TypeCode(request.DestinationOffset)}
	if !ttc.IsLob(t) {
		return nil, notImplemented(fmt.Sprintf("temporary LOB of type %d", request.DestinationOffset))
	}
	t.National = t.Code == datum.TypeClob && request.Offset == ttc.FormNational
	return c.lobs.temporary(t, datum.Datum{})
}

// freeLobs frees the temporary LOBs of a request; locators of others do not matter.
func (c *connection) freeLobs(request *ttc.LobRequest) error {
	if operation, _ := request.Array(); operation != ttc.LobFreeTemporary {
		return notImplemented(fmt.Sprintf("LOB operation 0x%x", uint32(request.Operation)))
	}
	for rest := request.Locators; len(rest) > 0; {
		var locator []byte
		locator, rest = ttc.NextLocator(rest)
		c.lobs.free(locator)
	}
	return nil
}

// bindLobs puts the values of LOBs where a row of binds has their locators.
func (c *connection) bindLobs(binds []ttc.Descriptor, row []datum.Datum) error {
	for i := range binds {
		if row[i].IsNull() || !ttc.IsLob(binds[i].Type()) {
			continue
		}
		l, err := c.lobs.find(row[i].Raw)
		if err != nil {
			return err
		}
		row[i] = l.datum()
	}
	return nil
}
