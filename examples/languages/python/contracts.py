"""Documents and ids of the contracts, decided by the published schema files and by what no schema can say."""

import hashlib
import json
import os
from pathlib import Path

from jsonschema import Draft7Validator

SCHEMAS = Path(os.environ.get("DEFERRED_TURNS_SCHEMAS", "schemas"))
RESOLUTIONS = ("workflowPrompt", "presentation", "fallback")


def schema_of(contract):
    return json.loads((SCHEMAS / f"{contract}.schema.json").read_text("utf-8"))


VALIDATORS = {
    path.name.removesuffix(".schema.json"): Draft7Validator(json.loads(path.read_text("utf-8")))
    for path in SCHEMAS.glob("*.schema.json")
}


def read_document(contract, document):
    """The value of a document, given as text or bytes. Raises ValueError for one that breaks the contract."""
    validator = VALIDATORS[contract]
    data = document if isinstance(document, bytes) else document.encode("utf-8")
    if len(data) > validator.schema.get("x-maxBytes", len(data)):
        raise ValueError("the text is too long")
    value = json.loads(data.decode("utf-8"), object_pairs_hook=fields_once, parse_constant=no_number)
    for error in validator.iter_errors(value):
        raise ValueError(error.message)
    return value


def fields_once(pairs):
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field is given twice")
    return fields


def no_number(word):
    raise ValueError(f"{word} is no JSON")


def parts_validator(**rules):
    """Judges the parts of an id: each is what the facts say of the field that its rule names."""
    facts = schema_of("deferred-turn-facts.v1")
    properties = {part: facts["properties"][field] for part, field in rules.items()}
    required = [part for part in rules if part != "discriminator"]
    return Draft7Validator({"required": required, "properties": properties, "definitions": facts["definitions"]})


TURN_INTENT = parts_validator(
    targetSessionId="runId", runId="runId", sourceEventId="runId", nodeId="nodeId", attemptId="attemptId", cause="cause"
)
SOURCE_EVENT = parts_validator(kind="runId", runId="runId", nodeId="nodeId", attemptId="attemptId", discriminator="nodeId")
INTENT_ID = Draft7Validator(schema_of("deferred-turn-message.v1")["properties"]["turnIntentId"])


def digest(validator, parts):
    if not validator.is_valid(parts):
        raise ValueError("a part is no key")
    listed = [parts.get(part) for part in validator.schema["properties"]]
    text = json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def turn_intent_id(parts):
    return f"deferred-turn:{digest(TURN_INTENT, parts)}"


def source_event_id(parts):
    return f"source-event:{digest(SOURCE_EVENT, parts)}"


def resolution_message_id(parts):
    if not INTENT_ID.is_valid(parts.get("intentId")) or parts.get("resolution") not in RESOLUTIONS:
        raise ValueError("no id of an intent, or no resolution")
    return f"{parts['intentId']}:{parts['resolution']}"
