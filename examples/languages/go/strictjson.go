package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"unicode/utf8"
)

// escapes finds the escapes of a JSON text: a pair of surrogates, half of one, or any other.
var escapes = regexp.MustCompile(`\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]..|\\.`)

// parse reads a JSON text as strictly as RFC 8259 has it. encoding/json alone takes a field twice, of which the last
// counts, and puts U+FFFD in place of what is no UTF-8 and of halves of pairs.
func parse(text []byte) (interface{}, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("the text is no UTF-8")
	}
	if !json.Valid(text) {
		return nil, errors.New("the text is no JSON")
	}
	decoder := json.NewDecoder(bytes.NewReader(withoutHalves(text)))
	decoder.UseNumber()
	return parseValue(decoder)
}

// withoutHalves puts U+0000 in place of halves of pairs: the schemas refuse it where they refuse a half.
func withoutHalves(text []byte) []byte {
	return escapes.ReplaceAllFunc(text, func(escape []byte) []byte {
		if isHalf := len(escape) == len(`\ud800`); isHalf {
			return []byte(`\u0000`)
		}
		return escape
	})
}

func parseValue(decoder *json.Decoder) (interface{}, error) {
	token, err := decoder.Token()
	switch token {
	case json.Delim('{'):
		return parseObject(decoder)
	case json.Delim('['):
		return parseList(decoder)
	}
	return token, err
}

func parseObject(decoder *json.Decoder) (interface{}, error) {
	fields := object{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		name := token.(string)
		if _, twice := fields[name]; twice {
			return nil, fmt.Errorf("the field %q is given twice", name)
		}
		if fields[name], err = parseValue(decoder); err != nil {
			return nil, err
		}
	}
	_, err := decoder.Token()
	return fields, err
}

func parseList(decoder *json.Decoder) (interface{}, error) {
	list := []interface{}{}
	for decoder.More() {
		value, err := parseValue(decoder)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	_, err := decoder.Token()
	return list, err
}
