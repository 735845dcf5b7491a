package ttc

// EndToEnd is the piggyback 0x87: what a client says of its work. A field is nil if the client did not
// change it.
type EndToEnd struct {
	ClientID, Module, Action, ClientInfo, Operation *string
}

// maxLabel bounds the length of one field.
const maxLabel = 4096

// Decode reads the message behind its header: all lengths first, then the texts.
func (m *EndToEnd) Decode(r *Reader, d Dialect) error {
	*m = EndToEnd{}
	r.Skip(2) // pointers of the name and serial of the client
	r.SkipUB(1)
	var context *string // the execution context id, which nothing shows
	fields := []**string{&m.ClientID, &m.Module, &m.Action, &context, nil, &m.ClientInfo, nil, nil, &m.Operation}
	lengths := make([]int, len(fields))
	for i, field := range fields {
		given := r.U8() != 0
		lengths[i] = r.Count(maxLabel)
		if given && field != nil {
			*field = new(string)
		}
	}
	for i, field := range fields {
		if field != nil && *field != nil {
			**field = r.Text(lengths[i], d)
		}
	}
	return r.Err()
}
