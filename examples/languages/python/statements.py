"""The statements of docs/other-languages.md, each of them one decision."""

INSERT = """
INSERT INTO workflow_turn_intents (
  intent_id, source_event_id, run_id, workflow_ref, target_session_id, cause, node_id, attempt_id,
  fallback_facts_json, requested_at
)
SELECT
  :intent_id, :source_event_id, :run_id, :workflow_ref, :target_session_id, :cause, :node_id, :attempt_id,
  :fallback_facts_json, :time
WHERE NOT EXISTS (
  SELECT 1 FROM workflow_turn_intents
  WHERE run_id = :run_id AND target_session_id = :target_session_id
    AND (resolved_at IS NULL OR source_event_id = :source_event_id)
)
RETURNING intent_id
"""
STANDING = """
SELECT intent_id FROM workflow_turn_intents
WHERE run_id = :run_id AND target_session_id = :target_session_id
  AND (resolved_at IS NULL OR source_event_id = :source_event_id)
ORDER BY source_event_id = :source_event_id DESC
LIMIT 1
"""
PENDING = """
SELECT intent_id, run_id, cause, eligible_at, fallback_facts_json FROM workflow_turn_intents
WHERE target_session_id = :target_session_id AND resolved_at IS NULL
ORDER BY requested_at, intent_id
"""
ELIGIBLE = """
UPDATE workflow_turn_intents SET eligible_at = :time
WHERE intent_id = :intent_id AND resolved_at IS NULL AND eligible_at IS NULL
RETURNING intent_id
"""
CLAIM = """
UPDATE workflow_turn_intents
SET delivery_claim_token = :token, delivery_claim_expires_at = :now + :lease_ms
WHERE intent_id = :intent_id AND resolved_at IS NULL
  AND (
    delivery_claim_token IS NULL OR delivery_claim_token = :token
    OR delivery_claim_expires_at <= :now OR delivery_claim_expires_at > :now + 600000
  )
RETURNING intent_id
"""
RESOLVE = """
UPDATE workflow_turn_intents
SET resolved_at = :time, resolution = :resolution, resolution_message_id = :message_id,
    delivery_claim_token = NULL, delivery_claim_expires_at = NULL
WHERE intent_id = :intent_id AND resolved_at IS NULL AND delivery_claim_token = :token
  AND delivery_claim_expires_at > :now AND delivery_claim_expires_at <= :now + 600000
RETURNING intent_id
"""
RELEASE = """
UPDATE workflow_turn_intents SET delivery_claim_token = NULL, delivery_claim_expires_at = NULL
WHERE intent_id = :intent_id AND resolved_at IS NULL AND delivery_claim_token = :token
RETURNING intent_id
"""
