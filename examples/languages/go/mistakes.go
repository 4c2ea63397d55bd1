package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// A mistake is a statement that a program in Go writes easily, and that the database refuses.
type mistake struct {
	what      string
	statement string
	values    []interface{}
}

var intentOfMistakes = object{
	"targetSessionId": "session-1", "runId": "run-of-mistakes", "workflowRef": "build", "workflowName": "build",
	"kind": "attempt", "nodeId": "compile", "attemptId": "attempt-1", "cause": "timedOut",
	"observedState": "timed out", "reason": "no answer", "handoff": false,
}

// tryMistakes makes them, and tells what the database says.
func tryMistakes(path string) error {
	database, err := openStore(path)
	if err != nil {
		return err
	}
	defer database.Close()
	row, err := rowOf(intentOfMistakes)
	if err != nil {
		return err
	}
	row["requested_at"] = "2026-08-21T08:17:31.000Z"
	tell(database, beforeTheRow(row))
	if _, err := do(database, "insert", []string{jsonText(intentOfMistakes)}); err != nil {
		return err
	}
	tell(database, withTheRow(row))
	id := row["intent_id"].(string)
	if _, err := do(database, "claim", []string{id, "token"}); err != nil {
		return err
	}
	if _, err := do(database, "resolve", []string{id, "token", "fallback"}); err != nil {
		return err
	}
	tell(database, resolved(row))
	return nil
}

func tell(database *sql.DB, mistakes []mistake) {
	for _, mistake := range mistakes {
		if _, err := database.Exec(mistake.statement, mistake.values...); err != nil {
			fmt.Printf("%s: %v\n", mistake.what, err)
		} else {
			fmt.Printf("%s: ACCEPTED\n", mistake.what)
		}
	}
}

func beforeTheRow(row object) []mistake {
	facts := factsOf(intentOfMistakes)
	text, _ := row["fallback_facts_json"].(string)
	at := time.Date(2026, 8, 21, 8, 17, 31, 500_000_000, time.UTC)
	return []mistake{
		inserting("time.RFC3339Nano, which drops zeros, as the time", row, object{"requested_at": at.Format(time.RFC3339Nano)}),
		inserting("a time.Time as the time", row, object{"requested_at": at}),
		inserting("facts as the bytes of json.Marshal", row, object{"fallback_facts_json": []byte(text)}),
		telling("a struct without tags", row, struct{ Schema string }{"pi-workflows.deferred-turn-facts.v1"}),
		telling("a field that omitempty leaves out", row, struct {
			Schema string  `json:"schema"`
			Reason *string `json:"reason,omitempty"`
		}{Schema: "pi-workflows.deferred-turn-facts.v1"}),
		telling("the zero value of a string", row, with(facts, "nodeId", "")),
		telling("a field of one's own in the facts", row, with(facts, "severity", "high")),
		telling("a reason of 8193 characters", row, with(facts, "reason", strings.Repeat("é", 8193))),
		telling("facts that tell of another run", row, with(facts, "runId", "run-2")),
		inserting("a text that ends with U+0000", row, object{"run_id": "run-of-mistakes\x00"}),
		inserting("the name of a constant as the cause", row, object{"cause": "CauseTimedOut"}),
		inserting("a sum in capitals", row, object{"intent_id": strings.ToUpper(row["intent_id"].(string))}),
	}
}

func withTheRow(row object) []mistake {
	replace := inserting("INSERT OR REPLACE", row, nil)
	replace.statement = strings.Replace(replace.statement, "INSERT", "INSERT OR REPLACE", 1)
	return []mistake{
		inserting("the same intent again", row, nil),
		inserting("a second unresolved intent of the run", row, object{"intent_id": "deferred-turn:" + strings.Repeat("0", 64)}),
		replace,
		updating("a time.Time as the end of a claim", row,
			"delivery_claim_token = 't', delivery_claim_expires_at = :end", sql.Named("end", time.Unix(1, 0).UTC())),
		updating("a claim that never ends", row, "delivery_claim_token = 't'"),
		updating("a resolution without its message", row, "resolved_at = :at, resolution = 'fallback'", sql.Named("at", row["requested_at"])),
		updating("another cause", row, "cause = 'failed'"),
		{"DELETE", "DELETE FROM workflow_turn_intents WHERE intent_id = :intent_id", named(row)},
	}
}

func resolved(row object) []mistake {
	return []mistake{
		updating("a resolution taken back", row, "resolved_at = NULL, resolution = NULL, resolution_message_id = NULL"),
		updating("a claim on what is resolved", row, "delivery_claim_token = 't', delivery_claim_expires_at = 1"),
	}
}

func inserting(what string, row, changes object) mistake {
	names, places := []string{}, []string{}
	for name := range row {
		names, places = append(names, name), append(places, ":"+name)
	}
	changed := row
	for name, value := range changes {
		changed = with(changed, name, value)
	}
	statement := "INSERT INTO workflow_turn_intents (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(places, ", ") + ")"
	return mistake{what, statement, named(changed)}
}

func telling(what string, row object, facts interface{}) mistake {
	return inserting(what, row, object{"fallback_facts_json": jsonText(facts)})
}

func updating(what string, row object, assignments string, values ...interface{}) mistake {
	statement := "UPDATE workflow_turn_intents SET " + assignments + " WHERE intent_id = :intent_id"
	return mistake{what, statement, append(values, sql.Named("intent_id", row["intent_id"]))}
}

func jsonText(value interface{}) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}
