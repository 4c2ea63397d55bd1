"""Writes turn intents into a store, with nothing but the DDL.

    writer.py STORE insert JSON                  stores an intent: {"targetSessionId", "runId", "workflowRef", "workflowName",
                                                 "kind", "nodeId", "attemptId", "cause", "observedState", "reason", "handoff"}
    writer.py STORE pending SESSION              tells what is owed to a session
    writer.py STORE eligible ID                  lets a fallback resolve it
    writer.py STORE claim ID TOKEN               takes it for 30 s, or takes it again
    writer.py STORE resolve ID TOKEN RESOLUTION  records the message that was delivered under the claim
    writer.py STORE release ID TOKEN             gives the claim back
"""

import json
import os
import sqlite3
import sys
import time
from datetime import datetime, timezone
from pathlib import Path

import contracts
import statements

DDL = Path(os.environ.get("DEFERRED_TURNS_DDL", "generated/ddl.sql"))
SCHEMA_ID = "pi-workflows.controller-store.v1"
LEASE_MS = 30_000
FACTS = ("workflowName", "runId", "observedState", "cause", "nodeId", "attemptId", "reason", "handoff")


def open_store(path):
    """Opens a store. An empty database becomes one, and one that lacks the guards gets them."""
    os.umask(0o077)
    database = sqlite3.connect(path, timeout=5, isolation_level=None)
    tables = {name for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if tables and ("schema_info" not in tables or store_name(database) != SCHEMA_ID):
        raise SystemExit(f"{path} is no {SCHEMA_ID}; it was left as it is.")
    database.execute("PRAGMA journal_mode = WAL")
    name_store = f"INSERT OR IGNORE INTO schema_info VALUES (1, '{SCHEMA_ID}');"
    database.executescript(f"BEGIN IMMEDIATE; {DDL.read_text('utf-8')} {name_store} COMMIT;")
    return database


def store_name(database):
    return database.execute("SELECT schema_id FROM schema_info").fetchone()[0]


def row_of(intent):
    """The columns of an intent, its ids and its facts among them. Raises ValueError for what breaks a contract."""
    source_event_id = contracts.source_event_id(intent)
    facts = {
        "schema": "pi-workflows.deferred-turn-facts.v1",
        **{field: intent.get(field) for field in FACTS},
    }
    # Without ensure_ascii=False a text in another script takes three times the bytes.
    facts_json = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
    contracts.read_document("deferred-turn-facts.v1", facts_json)
    return {
        "intent_id": contracts.turn_intent_id({**intent, "sourceEventId": source_event_id}),
        "source_event_id": source_event_id,
        "run_id": intent["runId"],
        "workflow_ref": intent.get("workflowRef"),
        "target_session_id": intent["targetSessionId"],
        "cause": intent["cause"],
        "node_id": intent["nodeId"],
        "attempt_id": intent["attemptId"],
        "fallback_facts_json": facts_json,
    }


def decide(database, statement, **values):
    """Runs one conditional statement; true when it changed a row. The clock is read when nobody else can write."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        now = time.time_ns() // 1_000_000
        return database.execute(statement, {"now": now, "time": timestamp(now), **values}).fetchone() is not None


def timestamp(milliseconds):
    seconds, rest = divmod(milliseconds, 1000)
    return datetime.fromtimestamp(seconds, timezone.utc).strftime(f"%Y-%m-%dT%H:%M:%S.{rest:03}Z")


def insert(database, text):
    """Tells the intent that stands for the interruption, which is another one where that is not resolved yet."""
    row = row_of(json.loads(text))
    created = decide(database, statements.INSERT, **row)
    (intent_id,) = database.execute(statements.STANDING, row).fetchone()
    return {"intentId": intent_id, "created": created}


def pending(database, session):
    rows = database.execute(statements.PENDING, {"target_session_id": session})
    return [
        {"intentId": intent_id, "runId": run_id, "cause": cause, "eligibleAt": eligible_at, "facts": json.loads(facts)}
        for intent_id, run_id, cause, eligible_at, facts in rows
    ]


def eligible(database, intent_id):
    return decide(database, statements.ELIGIBLE, intent_id=intent_id)


def claim(database, intent_id, token):
    return decide(database, statements.CLAIM, intent_id=intent_id, token=token, lease_ms=LEASE_MS)


def resolve(database, intent_id, token, resolution):
    message_id = contracts.resolution_message_id({"intentId": intent_id, "resolution": resolution})
    values = {"intent_id": intent_id, "token": token, "resolution": resolution, "message_id": message_id}
    return decide(database, statements.RESOLVE, **values)


def release(database, intent_id, token):
    return decide(database, statements.RELEASE, intent_id=intent_id, token=token)


COMMANDS = {each.__name__: each for each in (insert, pending, eligible, claim, resolve, release)}

if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[2] not in COMMANDS:
        sys.exit(__doc__)
    _, path, command, *arguments = sys.argv
    try:
        print(json.dumps(COMMANDS[command](open_store(path), *arguments)))
    except (ValueError, sqlite3.Error) as error:
        sys.exit(str(error))
