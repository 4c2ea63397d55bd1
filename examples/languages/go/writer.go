package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

const leaseMs = 30_000

const writerUsage = `usage: program writer STORE COMMAND …
  insert JSON                  stores an intent: {"targetSessionId", "runId", "workflowRef", "workflowName", "kind",
                               "nodeId", "attemptId", "cause", "observedState", "reason", "handoff"}
  pending SESSION              tells what is owed to a session
  eligible ID                  lets a fallback resolve it
  claim ID TOKEN               takes it for 30 s, or takes it again
  resolve ID TOKEN RESOLUTION  records the message that was delivered under the claim
  release ID TOKEN             gives the claim back`

// write does one command on a store and tells the outcome as JSON.
func write(path, command string, arguments []string) error {
	database, err := openStore(path)
	if err != nil {
		return err
	}
	defer database.Close()
	outcome, err := do(database, command, arguments)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(outcome)
}

func do(database *sql.DB, command string, arguments []string) (interface{}, error) {
	switch fmt.Sprint(command, len(arguments)) {
	case "insert1":
		return insert(database, []byte(arguments[0]))
	case "pending1":
		return pending(database, arguments[0])
	case "eligible1":
		return decide(database, eligibleSQL, sql.Named("intent_id", arguments[0]))
	case "claim2":
		return decide(database, claimSQL,
			sql.Named("intent_id", arguments[0]), sql.Named("token", arguments[1]), sql.Named("lease_ms", leaseMs))
	case "resolve3":
		return resolve(database, arguments[0], arguments[1], arguments[2])
	case "release2":
		return decide(database, releaseSQL, sql.Named("intent_id", arguments[0]), sql.Named("token", arguments[1]))
	}
	return nil, errors.New(writerUsage)
}

// insert tells the intent that stands for the interruption, which is another one where that is not resolved yet.
func insert(database *sql.DB, text []byte) (interface{}, error) {
	intent, err := parse(text)
	if err != nil {
		return nil, err
	}
	row, err := rowOf(intent.(object))
	if err != nil {
		return nil, err
	}
	created, err := decide(database, insertSQL, named(row)...)
	if err != nil {
		return nil, err
	}
	var intentID string
	err = database.QueryRow(standingSQL, named(row)...).Scan(&intentID)
	return object{"intentId": intentID, "created": created}, err
}

// A pendingIntent is an unresolved row.
type pendingIntent struct {
	IntentID   string          `json:"intentId"`
	RunID      string          `json:"runId"`
	Cause      string          `json:"cause"`
	EligibleAt *string         `json:"eligibleAt"`
	Facts      json.RawMessage `json:"facts"`
}

func pending(database *sql.DB, session string) (interface{}, error) {
	rows, err := database.Query(pendingSQL, sql.Named("target_session_id", session))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	intents := []pendingIntent{}
	for rows.Next() {
		var intent pendingIntent
		var facts string
		if err := rows.Scan(&intent.IntentID, &intent.RunID, &intent.Cause, &intent.EligibleAt, &facts); err != nil {
			return nil, err
		}
		intent.Facts = json.RawMessage(facts)
		intents = append(intents, intent)
	}
	return intents, rows.Err()
}

func resolve(database *sql.DB, intentID, token, resolution string) (interface{}, error) {
	ids, err := loadIds()
	if err != nil {
		return nil, err
	}
	messageID, err := ids.of("resolutionMessageId", object{"intentId": intentID, "resolution": resolution})
	if err != nil {
		return nil, err
	}
	return decide(database, resolveSQL, sql.Named("intent_id", intentID), sql.Named("token", token),
		sql.Named("resolution", resolution), sql.Named("message_id", messageID))
}
