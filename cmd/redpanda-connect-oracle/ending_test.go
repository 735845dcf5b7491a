package main

import (
	"testing"

	"github.com/redpanda-data/benthos/v4/public/service"
)

func TestBufferOfAnyForm(t *testing.T) {
	spec := service.NewConfigSpec().Field(service.NewAnyField("buffer").Optional())
	for text, want := range map[string]bool{
		"{}":                                  false,
		"buffer: {none: {}}":                  false,
		"buffer: {type: none}":                false,
		"buffer: {label: x, none: {}}":        false,
		"buffer: {memory: {}}":                true,
		"buffer: {type: memory}":              true,
		"buffer: {system_window: {size: 1s}}": true,
	} {
		conf, err := spec.ParseYAML(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := buffered(conf); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
