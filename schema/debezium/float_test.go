package debezium

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Reference debezium-format 1.4, and the subnormal numbers of Java's specification.
func TestFloatTextIsJavas(t *testing.T) {
	for _, c := range []struct {
		f    float64
		bits int
		want string
	}{
		{1, 32, "1.0"},
		{1e10, 32, "1.0E10"},
		{math.MaxFloat32, 32, "3.4028235E38"},
		{float64(float32(1e-5)), 32, "1.0E-5"},
		{12345678, 32, "1.2345678E7"},
		{1234567, 32, "1234567.0"},
		{float64(float32(0.001)), 32, "0.001"},
		{float64(float32(1.1)), 32, "1.1"},
		{math.SmallestNonzeroFloat32, 32, "1.4E-45"},
		{1e7, 64, "1.0E7"},
		{9999999, 64, "9999999.0"},
		{0.0001, 64, "1.0E-4"},
		{0.001, 64, "0.001"},
		{math.Nextafter(0.001, 0), 64, "9.999999999999998E-4"},
		{math.Nextafter(1e7, 0), 64, "9999999.999999998"},
		{float64(float32(0.1)) + 0, 32, "0.1"},
		{0.1 + math.Nextafter(0.2, 1), 64, "0.30000000000000004"},
		{math.Copysign(0, -1), 64, "-0.0"},
		{0, 64, "0.0"},
		{-2.5e-300, 64, "-2.5E-300"},
		{2e23, 64, "2.0E23"},
		{math.MaxFloat64, 64, "1.7976931348623157E308"},
		{math.SmallestNonzeroFloat64, 64, "4.9E-324"},
		{-1e-323, 64, "-9.9E-324"},
		{math.NaN(), 64, `"NaN"`},
		{math.Inf(1), 32, `"Infinity"`},
		{math.Inf(-1), 64, `"-Infinity"`},
		{1.2345678901234568e37, 64, "1.2345678901234568E37"},
	} {
		if got := string(appendFloat(nil, c.f, c.bits)); got != c.want {
			t.Errorf("%g/%d: %s, want %s", c.f, c.bits, got, c.want)
		}
	}
}

func TestFloatTextReadsBackAsTheValue(t *testing.T) {
	check := func(t *rapid.T, f float64, bits int) {
		got := string(appendFloat(nil, f, bits))
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return
		}
		back, err := strconv.ParseFloat(got, bits)
		if err != nil || back != f || math.Signbit(back) != math.Signbit(f) {
			t.Fatalf("%g/%d became %s = %g, %v", f, bits, got, back, err)
		}
		mantissa, _, _ := strings.Cut(got, "E")
		if _, fraction, found := strings.Cut(mantissa, "."); !found || fraction == "" {
			t.Fatalf("%s has no digit after the point", got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, math.Float64frombits(rapid.Uint64().Draw(t, "bits of double")), 64)
		check(t, float64(math.Float32frombits(rapid.Uint32().Draw(t, "bits of float"))), 32)
		check(t, rapid.Float64Range(-1e8, 1e8).Draw(t, "near the plain range"), 64)
	})
}
