package ttc

import (
	"encoding/binary"
	"errors"
	"math"
)

// BINARY_FLOAT and BINARY_DOUBLE travel so that their bytes compare like the values: sign bit set if
// positive, all bits inverted if negative (reference tns-server 8).

const (
	sign32 = 1 << 31
	sign64 = 1 << 63
)

func appendFloat(dst []byte, f float64) []byte {
	bits := math.Float32bits(float32(f))
	if bits&sign32 != 0 {
		bits = ^bits
	} else {
		bits |= sign32
	}
	return binary.BigEndian.AppendUint32(dst, bits)
}

func appendDouble(dst []byte, f float64) []byte {
	bits := math.Float64bits(f)
	if bits&sign64 != 0 {
		bits = ^bits
	} else {
		bits |= sign64
	}
	return binary.BigEndian.AppendUint64(dst, bits)
}

func decodeFloat(b []byte) (float64, error) {
	switch len(b) {
	case 4:
		bits := binary.BigEndian.Uint32(b)
		if bits&sign32 != 0 {
			bits &^= sign32
		} else {
			bits = ^bits
		}
		return float64(math.Float32frombits(bits)), nil
	case 8:
		bits := binary.BigEndian.Uint64(b)
		if bits&sign64 != 0 {
			bits &^= sign64
		} else {
			bits = ^bits
		}
		return math.Float64frombits(bits), nil
	}
	return 0, errors.New("not a binary float")
}
