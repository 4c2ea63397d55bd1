package main

import (
	"database/sql"
	"encoding/json"
)

var factsFields = []string{
	"workflowName", "runId", "observedState", "cause", "nodeId", "attemptId", "reason", "handoff",
}

// rowOf returns the columns of an intent, its ids and its facts among them, or why it breaks a contract.
func rowOf(intent object) (object, error) {
	contracts, err := loadContracts()
	if err != nil {
		return nil, err
	}
	ids, err := loadIds()
	if err != nil {
		return nil, err
	}
	sourceEventID, err := ids.of("sourceEventId", intent)
	if err != nil {
		return nil, err
	}
	intentID, err := ids.of("turnIntentId", with(intent, "sourceEventId", sourceEventID))
	if err != nil {
		return nil, err
	}
	facts, err := json.Marshal(factsOf(intent))
	if err != nil {
		return nil, err
	}
	if _, err := contracts["deferred-turn-facts.v1"].read(facts); err != nil {
		return nil, err
	}
	return object{
		"intent_id":         intentID,
		"source_event_id":   sourceEventID,
		"run_id":            intent["runId"],
		"workflow_ref":      intent["workflowRef"],
		"target_session_id": intent["targetSessionId"],
		"cause":             intent["cause"],
		"node_id":           intent["nodeId"],
		"attempt_id":        intent["attemptId"],
		// As bytes it would be a BLOB, which the database refuses.
		"fallback_facts_json": string(facts),
	}, nil
}

func factsOf(intent object) object {
	facts := object{"schema": "pi-workflows.deferred-turn-facts.v1"}
	for _, field := range factsFields {
		facts[field] = intent[field]
	}
	return facts
}

// with returns a copy of fields in which one has another value.
func with(fields object, name string, value interface{}) object {
	copied := object{name: value}
	for field, value := range fields {
		if field != name {
			copied[field] = value
		}
	}
	return copied
}

// named returns columns as the parameters of a statement.
func named(columns object) []interface{} {
	values := []interface{}{}
	for column, value := range columns {
		values = append(values, sql.Named(column, value))
	}
	return values
}
