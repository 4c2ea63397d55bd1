"""Makes mistakes that a program in Python makes easily, and tells what the database says: mistakes.py STORE"""

import json
import sqlite3
import sys
from datetime import datetime

import writer

INTENT = {
    "targetSessionId": "session-1",
    "runId": "run-of-mistakes",
    "workflowRef": "build",
    "workflowName": "build",
    "kind": "attempt",
    "nodeId": "compile",
    "attemptId": "attempt-1",
    "cause": "timedOut",
    "observedState": "timed out",
    "reason": "no answer",
    "handoff": False,
}
ROW = {**writer.row_of(INTENT), "requested_at": "2026-08-21T08:17:31.000Z"}
TIME = datetime(2026, 8, 21, 8, 17, 31, 250_000)
FACTS = json.loads(ROW["fallback_facts_json"])


def inserting(**columns):
    names = ", ".join(ROW)
    places = ", ".join(f":{name}" for name in ROW)
    return f"INSERT INTO workflow_turn_intents ({names}) VALUES ({places})", {**ROW, **columns}


def telling(**facts):
    return inserting(fallback_facts_json=json.dumps({**FACTS, **facts}))


def updating(assignments, **values):
    return f"UPDATE workflow_turn_intents SET {assignments} WHERE intent_id = :id", {**values, "id": ROW["intent_id"]}


BEFORE_THE_ROW = {
    "datetime.isoformat() as the time": inserting(requested_at=TIME.isoformat()),
    "facts as bytes": inserting(fallback_facts_json=ROW["fallback_facts_json"].encode()),
    "facts from str() instead of json.dumps": inserting(fallback_facts_json=str(FACTS)),
    "json.dumps of a float that is no number": telling(reason=float("nan")),
    "json.dumps of half of a surrogate pair": telling(reason="\ud83d"),
    "a text that ends with U+0000": inserting(run_id="run-of-mistakes\0"),
    "a field of one's own in the facts": telling(severity="high"),
    "a reason of 8193 characters": telling(reason="é" * 8193),
    "a truth value as a number": telling(handoff=0),
    "facts that tell of another run": telling(runId="run-2"),
    "a cause in snake case": inserting(cause="timed_out"),
    "hexdigest() without the prefix": inserting(intent_id=ROW["intent_id"].removeprefix("deferred-turn:")),
}
WITH_THE_ROW = {
    "the same intent again": inserting(),
    "a second unresolved intent of the run": inserting(intent_id="deferred-turn:" + "0" * 64),
    "INSERT OR REPLACE": (inserting()[0].replace("INSERT", "INSERT OR REPLACE"), ROW),
    "a float of seconds as the end of a claim": updating("delivery_claim_token = 't', delivery_claim_expires_at = :end", end=TIME.timestamp()),
    "a claim that never ends": updating("delivery_claim_token = 't'"),
    "a resolution without its message": updating("resolved_at = :at, resolution = 'fallback'", at=ROW["requested_at"]),
    "another cause": updating("cause = 'failed'"),
    "DELETE": ("DELETE FROM workflow_turn_intents WHERE intent_id = :id", {"id": ROW["intent_id"]}),
}
RESOLVED = {
    "a resolution taken back": updating("resolved_at = NULL, resolution = NULL, resolution_message_id = NULL"),
    "a claim on what is resolved": updating("delivery_claim_token = 't', delivery_claim_expires_at = 1"),
}


def refusals(database, mistakes):
    for mistake, (statement, values) in mistakes.items():
        try:
            database.execute(statement, values)
            yield f"{mistake}: ACCEPTED"
        except sqlite3.Error as error:
            yield f"{mistake}: {error}"


def main(path):
    database = writer.open_store(path)
    yield from refusals(database, BEFORE_THE_ROW)
    writer.insert(database, json.dumps(INTENT))
    yield from refusals(database, WITH_THE_ROW)
    writer.claim(database, ROW["intent_id"], "token")
    writer.resolve(database, ROW["intent_id"], "token", "fallback")
    yield from refusals(database, RESOLVED)


for told in main(sys.argv[1]):
    print(told)
