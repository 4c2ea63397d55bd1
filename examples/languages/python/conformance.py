"""Answers the conformance corpus: deferred-turns conformance --run '/usr/bin/python3 conformance.py'"""

import base64
import json
import os
import sqlite3
import sys
from pathlib import Path

import contracts

DDL = Path(os.environ.get("DEFERRED_TURNS_DDL", "generated/ddl.sql")).read_text("utf-8")
IDS = {
    "turnIntentId": contracts.turn_intent_id,
    "sourceEventId": contracts.source_event_id,
    "resolutionMessageId": contracts.resolution_message_id,
}


def answer(request):
    if request.get("validate") in contracts.VALIDATORS:
        return {"valid": is_valid(request)}
    if request.get("digest") in IDS:
        return {"digest": id_of(request)}
    if "execute" in request:
        return {"accepted": is_accepted(request)}
    return {"unsupported": "This program does not know the request."}


def is_valid(request):
    document = base64.b64decode(request["base64"]) if "base64" in request else request["text"]
    try:
        contracts.read_document(request["validate"], document)
        return True
    except (ValueError, RecursionError):
        return False


def id_of(request):
    try:
        return IDS[request["digest"]](request["parts"])
    except ValueError:
        return None


def is_accepted(request):
    database = sqlite3.connect(":memory:")
    database.executescript(request["before"] + DDL + request["setup"])
    try:
        database.executescript(request["execute"])
        return True
    except sqlite3.Error:
        return False
    finally:
        database.close()


for line in sys.stdin.buffer:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], **answer(request)}), flush=True)
