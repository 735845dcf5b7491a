package engine

import (
	"math"
	"slices"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
)

// isStatistic reports whether an aggregate needs all values of its group at the end.
func isStatistic(name string) bool {
	switch name {
	case "STDDEV", "STDDEV_POP", "STDDEV_SAMP", "VARIANCE", "VAR_POP", "VAR_SAMP", "MEDIAN":
		return true
	}
	return false
}

// statistic computes an aggregate over values that are all NUMBER or all BINARY_DOUBLE and not NULL.
func statistic(name string, all []datum.Datum) (datum.Datum, error) {
	if len(all) == 0 {
		return datum.Datum{}, nil
	}
	if name == "MEDIAN" {
		return median(all)
	}
	divisor := len(all) - 1
	switch name {
	case "STDDEV_POP", "VAR_POP":
		divisor = len(all)
	case "STDDEV_SAMP", "VAR_SAMP":
		if divisor == 0 {
			return datum.Datum{}, nil
		}
	}
	root := name == "STDDEV" || name == "STDDEV_POP" || name == "STDDEV_SAMP"
	if all[0].Kind == datum.Float {
		return datum.Datum{Kind: datum.Float, Float: floatDeviation(all, divisor, root)}, nil
	}
	n, err := deviation(all, divisor, root)
	if err != nil {
		return datum.Datum{}, err
	}
	return datum.Datum{Kind: datum.Number, Number: n}, scalar.Round(n)
}

func median(all []datum.Datum) (datum.Datum, error) {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b datum.Datum) int { return scalar.Compare(&a, &b) })
	high := sorted[len(sorted)/2]
	if len(sorted)%2 == 1 {
		return high, nil
	}
	low := sorted[len(sorted)/2-1]
	if high.Kind == datum.Float {
		return datum.Datum{Kind: datum.Float, Float: (low.Float + high.Float) / 2}, nil
	}
	sum, err := scalar.Arithmetic('+', low.Number, high.Number)
	if err != nil {
		return datum.Datum{}, err
	}
	n, err := scalar.Arithmetic('/', sum, apd.New(2, 0))
	return datum.Datum{Kind: datum.Number, Number: n}, err
}

// deviation is the variance of numbers or its root. A single value has none: 0.
func deviation(all []datum.Datum, divisor int, root bool) (*apd.Decimal, error) {
	// With twice the digits of wideContext, no rounding of the squares reaches a digit that a NUMBER keeps.
	wide := wideContext().WithPrecision(120)
	work := apd.MakeErrDecimal(wide)
	mean, squares, difference := new(apd.Decimal), new(apd.Decimal), new(apd.Decimal)
	for _, d := range all {
		work.Add(mean, mean, d.Number)
	}
	work.Quo(mean, mean, apd.New(int64(len(all)), 0))
	for _, d := range all {
		work.Sub(difference, d.Number, mean)
		work.Mul(difference, difference, difference)
		work.Add(squares, squares, difference)
	}
	if len(all) == 1 {
		return new(apd.Decimal), work.Err()
	}
	work.Quo(squares, squares, apd.New(int64(divisor), 0))
	if root {
		work.Sqrt(squares, squares)
	}
	return squares, work.Err()
}

func floatDeviation(all []datum.Datum, divisor int, root bool) float64 {
	if len(all) == 1 {
		return 0
	}
	mean := 0.0
	for _, d := range all {
		mean += d.Float
	}
	mean /= float64(len(all))
	squares := 0.0
	for _, d := range all {
		squares += (d.Float - mean) * (d.Float - mean)
	}
	if squares /= float64(divisor); root {
		return math.Sqrt(squares)
	}
	return squares
}
