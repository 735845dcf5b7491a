package decode

import (
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// maxIntervalDigits is the largest leading precision of an interval.
const maxIntervalDigits = 9

// leading reads the sign and the digits before sep. The sign belongs to every field of the interval (C057).
func leading(s, sep string) (n int64, negative bool, rest string, ok bool) {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		negative, s = s[0] == '-', s[1:]
	}
	digits, rest, found := strings.Cut(s, sep)
	if !found || digits == "" || len(digits) > maxIntervalDigits || !allDigits(digits) {
		return 0, false, "", false
	}
	for i := range len(digits) {
		n = n*10 + int64(digits[i]-'0')
	}
	return n, negative, rest, true
}

// yearToMonth decodes [+-]years-months.
func yearToMonth(s string) (value.Value, reason) {
	years, negative, rest, ok := leading(s, "-")
	if !ok || len(rest) != 2 || !allDigits(rest) || number2(rest) > 11 {
		return value.Value{}, badInterval
	}
	months := years*12 + int64(number2(rest))
	if negative {
		months = -months
	}
	return value.OfMonths(months), ""
}

// dayToSecond decodes [+-]days HH:MI:SS[.fraction].
func dayToSecond(s string) (value.Value, reason) {
	const shape = "00:00:00"
	days, negative, rest, ok := leading(s, " ")
	if !ok || len(rest) < len(shape) || !hasShape(rest, shape) {
		return value.Value{}, badInterval
	}
	hours, minutes, seconds := number2(rest), number2(rest[3:]), number2(rest[6:])
	if hours > 23 || minutes > 59 || seconds > 59 {
		return value.Value{}, badInterval
	}
	nano := uint32(0)
	if rest = rest[len(shape):]; rest != "" {
		if rest[0] != '.' || !allDigits(rest[1:]) {
			return value.Value{}, badInterval
		}
		if nano, ok = nanos(rest[1:]); !ok {
			return value.Value{}, badInterval
		}
	}
	total := days*86400 + int64(hours)*3600 + int64(minutes)*60 + int64(seconds)
	if negative {
		return value.OfDuration(-total, -int32(nano)), "" //nolint:gosec // below 1e9
	}
	return value.OfDuration(total, int32(nano)), "" //nolint:gosec // below 1e9
}
