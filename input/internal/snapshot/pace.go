package snapshot

import (
	"sync"
	"time"
)

// Changes wait for the rows of the batches before them: until those are read, and until they are out. Both are kept short.
const (
	// readTime is how long a batch may be read, outTime how long its rows may go out.
	readTime = time.Second / 2
	outTime  = time.Second / 4
	// leastWait and mostWait bound how long everything that was read may go out before a further batch begins. In between that is half of
	// what F is behind by: so long nothing goes out of what is read, and changes wait for F anyway.
	leastWait = time.Second / 2
	mostWait  = 4 * time.Second
)

// pace sizes batches by how quickly rows were read and went out so far. It is safe for the reader and who emits.
type pace struct {
	mu sync.Mutex
	// read is how long a connection took for a row, out how long one took to go out, in seconds; 0: nobody knows yet.
	read, out float64
}

// leastMeasured is how many rows tell something of the time of one: a small table's is that of its statements.
const leastMeasured = 500

// wasRead takes what a batch took on several connections.
func (p *pace) wasRead(rows int64, connections int, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.read = measured(p.read, float64(connections), rows, took)
}

// wentOut takes how long the rows of a batch took to be handed over, however much of it was waiting for the output.
func (p *pace) wentOut(rows int64, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.out = measured(p.out, 1, rows, took)
}

func measured(before, connections float64, rows int64, took time.Duration) float64 {
	if rows < leastMeasured || took <= 0 {
		return before
	}
	now := took.Seconds() * connections / float64(rows)
	if before == 0 {
		return now
	}
	return (before + now) / 2
}

// size says on how many connections a batch is read, and how many rows on each: whole pieces, one at least and a chunk at most. It is one
// until it is known how rows are read and go out.
func (p *pace) size(threads, piece, chunk int) (connections, rows int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.read == 0 || p.out == 0 {
		return threads, piece
	}
	total := outTime.Seconds() / p.out
	// A connection that has less than a piece would not make it any shorter.
	connections = int(max(1, min(float64(threads), total/float64(piece))))
	each := min(readTime.Seconds()/p.read, total/float64(connections), float64(chunk))
	return connections, max(piece, int(each)/piece*piece)
}

// full says whether the rows that were read and are not out are so many that the stream, which is behind by lag, would wait too long for more.
func (p *pace) full(rows int64, threads, piece int, lag time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	first := int64(threads * piece)
	if p.out == 0 {
		return rows > first
	}
	return rows > first && float64(rows)*p.out > min(max(leastWait, lag/2), mostWait).Seconds()
}

// fineness is how many pieces a chunk has: with the default a batch may be as small as 2,000 rows, and one pass finds the places of 20 million.
const fineness = 50

// pieceOf is how many rows lie between two places where a table may be cut: a part of a chunk, but no fewer than the smallest chunk has.
func pieceOf(chunk, least int) int { return max(1, min(chunk, max(chunk/fineness, least))) }
