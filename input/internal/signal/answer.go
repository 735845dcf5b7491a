package signal

// Status is what became of a signal.
type Status string

// The statuses of an ops event signal-ack.
const (
	// OK: done, or begun.
	OK Status = "ok"
	// Rejected: understood, and not to be done now.
	Rejected Status = "rejected"
	// Unknown: nobody knows the type.
	Unknown Status = "unknown"
	// Invalid: it cannot be read.
	Invalid Status = "invalid"
	// Failed: it was tried.
	Failed Status = "failed"
)

// Answer is what the sender hears.
type Answer struct {
	Status Status
	Detail string
}

// Delivery is a signal on its way to whoever acts on it.
type Delivery struct {
	Signal Signal
	// reply is nil where nobody waits.
	reply chan<- answered
}

// answered is an answer on its way back.
type answered struct {
	Answer
	// kept is that of AnswerWhen.
	kept func() bool
}

// Answer tells a sender that waits. It never blocks; the first answer counts.
func (d *Delivery) Answer(a Answer) { d.AnswerWhen(a, nil) }

// AnswerWhen is Answer for what a restart would forget until kept says that the stored position has it; nil: there is nothing to keep. It is
// called from the sender's goroutine, often.
func (d *Delivery) AnswerWhen(a Answer, kept func() bool) {
	if d.reply == nil {
		return
	}
	select {
	case d.reply <- answered{a, kept}:
	default:
	}
}
