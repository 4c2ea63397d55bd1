package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/xeipuuv/gojsonschema"
)

type object = map[string]interface{}

// A contract is a published schema, ready to judge, and the longest text of a document, where there is a bound.
type contract struct {
	schema   *gojsonschema.Schema
	maxBytes int
}

// loadContracts reads all schemas, by their names without ".schema.json".
func loadContracts() (map[string]contract, error) {
	contracts := map[string]contract{}
	paths, err := filepath.Glob(filepath.Join(schemasFolder(), "*.schema.json"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".schema.json")
		source, err := readSchema(name)
		if err != nil {
			return nil, err
		}
		schema, err := gojsonschema.NewSchema(gojsonschema.NewRawLoader(source))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		contracts[name] = contract{schema, maxBytesOf(source)}
	}
	return contracts, nil
}

// maxBytesOf is 0 where there is no bound.
func maxBytesOf(schema object) int {
	bound, _ := schema["x-maxBytes"].(json.Number)
	bytes, _ := bound.Int64()
	return int(bytes)
}

func schemasFolder() string {
	return published("DEFERRED_TURNS_SCHEMAS", "schemas")
}

func readSchema(name string) (object, error) {
	text, err := os.ReadFile(filepath.Join(schemasFolder(), name+".schema.json"))
	if err != nil {
		return nil, err
	}
	source, err := parse(text)
	if err != nil {
		return nil, err
	}
	// gojsonschema resolves "#/definitions/…" against the $id, which it cannot where that is a URN.
	delete(source.(object), "$id")
	return source.(object), nil
}

// read returns the value of a document, or why the text is none of the contract.
func (contract contract) read(text []byte) (interface{}, error) {
	if contract.maxBytes > 0 && len(text) > contract.maxBytes {
		return nil, errors.New("the text is too long")
	}
	value, err := parse(text)
	if err != nil {
		return nil, err
	}
	return value, check(contract.schema, value)
}

func check(schema *gojsonschema.Schema, value interface{}) error {
	result, err := schema.Validate(gojsonschema.NewRawLoader(value))
	if err != nil {
		return err
	}
	for _, flaw := range result.Errors() {
		return errors.New(flaw.String())
	}
	return nil
}
