# Makes mistakes that a program in Ruby makes easily, and tells what the database says: mistakes.rb STORE

require_relative "writer"

INTENT = {
  "targetSessionId" => "session-1", "runId" => "run-of-mistakes", "workflowRef" => "build", "workflowName" => "build",
  "kind" => "attempt", "nodeId" => "compile", "attemptId" => "attempt-1", "cause" => "timedOut",
  "observedState" => "timed out", "reason" => "no answer", "handoff" => false
}.freeze
ROW = { **Writer.row_of(INTENT), "requested_at" => "2026-08-21T08:17:31.000Z" }.freeze
FACTS = JSON.parse(ROW["fallback_facts_json"]).freeze
TIME = Time.utc(2026, 8, 21, 8, 17, 31)

def inserting(verb: "INSERT", **columns)
  places = ROW.keys.map { |name| ":#{name}" }
  ["#{verb} INTO workflow_turn_intents (#{ROW.keys.join(', ')}) VALUES (#{places.join(', ')})", { **ROW, **columns.transform_keys(&:to_s) }]
end

def telling(**facts)
  inserting(fallback_facts_json: JSON.generate({ **FACTS, **facts.transform_keys(&:to_s) }))
end

def updating(assignments, **values)
  ["UPDATE workflow_turn_intents SET #{assignments} WHERE intent_id = :id", { **values, id: ROW["intent_id"] }]
end

BEFORE_THE_ROW = {
  "Time#to_s as the time" => inserting(requested_at: TIME.to_s),
  "Time#iso8601, which leaves milliseconds out, as the time" => inserting(requested_at: TIME.strftime("%FT%TZ")),
  "facts in a binary string" => inserting(fallback_facts_json: ROW["fallback_facts_json"].b),
  "facts from inspect instead of JSON" => inserting(fallback_facts_json: FACTS.inspect),
  "the fields in snake case" => telling(workflow_name: "build"),
  "nil as the name of the workflow" => telling(workflowName: nil),
  "a truth value as text" => telling(handoff: "false"),
  "a field of one's own in the facts" => telling(severity: "high"),
  "a reason of 8193 characters" => telling(reason: "é" * 8193),
  "facts that tell of another run" => telling(runId: "run-2"),
  "a text that ends with U+0000" => inserting(run_id: "run-of-mistakes\0"),
  "a symbol in snake case as the cause" => inserting(cause: :timed_out.to_s),
  "hexdigest without the prefix" => inserting(intent_id: ROW["intent_id"].delete_prefix("deferred-turn:"))
}.freeze
WITH_THE_ROW = {
  "the same intent again" => inserting,
  "a second unresolved intent of the run" => inserting(intent_id: "deferred-turn:#{'0' * 64}"),
  "INSERT OR REPLACE" => inserting(verb: "INSERT OR REPLACE"),
  "Time#to_f as the end of a claim" => updating("delivery_claim_token = 't', delivery_claim_expires_at = :end", end: TIME.to_f + 0.5),
  "a claim that never ends" => updating("delivery_claim_token = 't'"),
  "a resolution without its message" => updating("resolved_at = :at, resolution = 'fallback'", at: ROW["requested_at"]),
  "another cause" => updating("cause = 'failed'"),
  "DELETE" => ["DELETE FROM workflow_turn_intents WHERE intent_id = :id", { id: ROW["intent_id"] }]
}.freeze
RESOLVED = {
  "a resolution taken back" => updating("resolved_at = NULL, resolution = NULL, resolution_message_id = NULL"),
  "a claim on what is resolved" => updating("delivery_claim_token = 't', delivery_claim_expires_at = 1")
}.freeze

def tell(database, mistakes)
  mistakes.each do |mistake, (statement, values)|
    database.execute(statement, values)
    puts "#{mistake}: ACCEPTED"
  rescue SQLite3::Exception => error
    puts "#{mistake}: #{error.message}"
  end
end

database = Writer.open_store(ARGV.fetch(0))
tell(database, BEFORE_THE_ROW)
Writer.insert(database, JSON.generate(INTENT))
tell(database, WITH_THE_ROW)
Writer.claim(database, ROW["intent_id"], "token")
Writer.resolve(database, ROW["intent_id"], "token", "fallback")
tell(database, RESOLVED)
