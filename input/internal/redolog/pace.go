package redolog

// Pace is the number of closed logs per step and thread: it doubles while steps succeed behind the tail and halves when
// one fails (R12).
type Pace struct{ logs, most int }

// NewPace begins with one log and never passes most.
func NewPace(most int) *Pace { return &Pace{logs: 1, most: max(1, most)} }

// Logs is the number for the next step.
func (p *Pace) Logs() int { return p.logs }

// Succeeded follows a verified step; at the tail the next catch-up begins small again.
func (p *Pace) Succeeded(s Step) {
	if s.Tail {
		p.logs = 1
		return
	}
	p.logs = min(p.logs*2, p.most)
}

// Failed follows a failed step.
func (p *Pace) Failed() { p.logs = max(1, p.logs/2) }
