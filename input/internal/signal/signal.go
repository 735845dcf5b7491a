package signal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Channel is the way that a signal came.
type Channel string

// The channels.
const (
	Kafka Channel = "kafka"
	Table Channel = "table"
	HTTP  Channel = "http"
)

// Signal is what somebody sent.
type Signal struct {
	ID, Type string
	// Data is a JSON object, or empty.
	Data    json.RawMessage
	Channel Channel
	// Partition and Offset are the place of a signal from Kafka, Millis is the time of its record.
	Partition int32
	Offset    int64
	Millis    int64
	// fault says why nothing can be read from it.
	fault error
}

// Name is the same whenever a signal from Kafka is delivered, and another one for every other: a topic that was made again has the same
// places, but no record of the same time there.
func (s *Signal) Name() string { return fmt.Sprintf("kafka-%d-%d-%d", s.Partition, s.Offset, s.Millis) }

// MaxBytes bounds a signal in every channel. The table's column holds 2,048 characters as a rule.
const MaxBytes = 1 << 20

// maxName bounds id and type: they come back in answers and logs.
const maxName = 255

// place says where a signal came from, for a message of type log.
func (s *Signal) place() string {
	if s.Channel == Kafka {
		return fmt.Sprintf("%d:%d", s.Partition, s.Offset)
	}
	return string(s.Channel)
}

// decode reads the form that Kafka and HTTP carry: {"id":…,"type":…,"data":{…}}. Members that are not known are left alone.
func decode(text []byte, channel Channel) Signal {
	s := Signal{Channel: channel}
	var sent struct {
		ID   *string         `json:"id"`
		Type *string         `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if len(text) > MaxBytes {
		s.fault = fmt.Errorf("it is longer than %d bytes", MaxBytes)
		return s
	}
	if err := json.Unmarshal(text, &sent); err != nil {
		// The decoder's own message may quote what was sent.
		s.fault = errors.New(`it is not a JSON object with texts "id" and "type"`)
		return s
	}
	if sent.ID != nil {
		s.ID = *sent.ID
	}
	if sent.Type != nil {
		s.Type = *sent.Type
	}
	s.Data, s.fault = object(sent.Data)
	s.bounded()
	return s
}

// FromRow makes a signal of a row of the signal table: three columns by position, data may be NULL.
func FromRow(id, kind, data string) Signal {
	s := Signal{ID: id, Type: kind, Channel: Table}
	s.Data, s.fault = object([]byte(data))
	s.bounded()
	return s
}

// Unreadable makes a signal of a row of the signal table that says what is wrong with it.
func Unreadable(id, kind, why string) Signal {
	s := Signal{ID: id, Type: kind, Channel: Table}
	s.bounded()
	s.fault = errors.New(why)
	return s
}

func (s *Signal) bounded() {
	for _, name := range []*string{&s.ID, &s.Type} {
		if len(*name) <= maxName {
			continue
		}
		cut := maxName
		for cut > 0 && !utf8.RuneStart((*name)[cut]) {
			cut--
		}
		*name = (*name)[:cut]
		s.fault = fmt.Errorf("id and type have at most %d bytes", maxName)
	}
}

// object gives data as a JSON object. Some senders write the object as a text, as the table's column has it.
func object(data []byte) (json.RawMessage, error) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || bytes.Equal(data, []byte("null")) {
		return nil, nil
	}
	if data[0] == '"' {
		var text string
		if err := json.Unmarshal(data, &text); err != nil {
			return nil, errors.New("data is not a JSON object")
		}
		if data = bytes.TrimSpace([]byte(text)); len(data) == 0 {
			return nil, nil
		}
	}
	if data[0] != '{' || !json.Valid(data) {
		return nil, errors.New("data is not a JSON object")
	}
	return data, nil
}
