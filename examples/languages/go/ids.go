package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"

	"github.com/xeipuuv/gojsonschema"
)

// A part of an id, and the field of the facts or details whose rule it keeps.
type part struct{ name, field string }

var turnIntentParts = []part{
	{"targetSessionId", "runId"}, {"runId", "runId"}, {"sourceEventId", "runId"},
	{"nodeId", "nodeId"}, {"attemptId", "attemptId"}, {"cause", "cause"},
}

var sourceEventParts = []part{
	{"kind", "runId"}, {"runId", "runId"}, {"nodeId", "nodeId"}, {"attemptId", "attemptId"}, {"discriminator", "nodeId"},
}

var resolutions = object{"enum": []interface{}{"workflowPrompt", "presentation", "fallback"}}

// ids names things: the parts of an id are judged before they are digested.
type ids struct{ turnIntent, sourceEvent, resolution *gojsonschema.Schema }

func loadIds() (ids, error) {
	facts, err := readSchema("deferred-turn-facts.v1")
	if err != nil {
		return ids{}, err
	}
	message, err := readSchema("deferred-turn-message.v1")
	if err != nil {
		return ids{}, err
	}
	turnIntent, err := partsSchema(turnIntentParts, facts)
	if err != nil {
		return ids{}, err
	}
	sourceEvent, err := partsSchema(sourceEventParts, facts)
	if err != nil {
		return ids{}, err
	}
	resolution, err := gojsonschema.NewSchema(gojsonschema.NewRawLoader(object{
		"required":   []interface{}{"intentId", "resolution"},
		"properties": object{"intentId": message["properties"].(object)["turnIntentId"], "resolution": resolutions},
	}))
	return ids{turnIntent, sourceEvent, resolution}, err
}

func partsSchema(parts []part, facts object) (*gojsonschema.Schema, error) {
	required, properties := []interface{}{}, object{}
	for _, part := range parts {
		properties[part.name] = facts["properties"].(object)[part.field]
		if part.name != "discriminator" {
			required = append(required, part.name)
		}
	}
	return gojsonschema.NewSchema(gojsonschema.NewRawLoader(object{
		"required": required, "properties": properties, "definitions": facts["definitions"],
	}))
}

// of returns the id that a function gives to parts, or why it refuses them.
func (ids ids) of(function string, parts object) (string, error) {
	switch function {
	case "turnIntentId":
		return digest("deferred-turn", turnIntentParts, parts), check(ids.turnIntent, parts)
	case "sourceEventId":
		return digest("source-event", sourceEventParts, parts), check(ids.sourceEvent, parts)
	case "resolutionMessageId":
		return fmt.Sprintf("%v:%v", parts["intentId"], parts["resolution"]), check(ids.resolution, parts)
	}
	return "", errors.New("there is no id " + function)
}

func digest(prefix string, parts []part, values object) string {
	quoted := []string{}
	for _, part := range parts {
		if text, isText := values[part.name].(string); isText {
			quoted = append(quoted, quote(text))
		} else {
			quoted = append(quoted, "null")
		}
	}
	return fmt.Sprintf("%s:%x", prefix, sha256.Sum256([]byte("["+strings.Join(quoted, ",")+"]")))
}

var shortEscapes = map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

// quote writes a text as RFC 8785 has it; json.Marshal escapes more.
func quote(text string) string {
	var quoted strings.Builder
	for _, character := range text {
		if escape, found := shortEscapes[character]; found {
			quoted.WriteString(escape)
		} else if character < ' ' {
			fmt.Fprintf(&quoted, `\u%04x`, character)
		} else {
			quoted.WriteRune(character)
		}
	}
	return `"` + quoted.String() + `"`
}
