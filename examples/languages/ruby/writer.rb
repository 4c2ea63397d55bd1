# Writes turn intents into a store, with nothing but the DDL.

require "json"
require "sqlite3"
require_relative "contracts"
require_relative "statements"

module Writer
  USAGE = <<~TEXT
    usage: writer.rb STORE COMMAND …
      insert JSON                  stores an intent: {"targetSessionId", "runId", "workflowRef", "workflowName", "kind",
                                   "nodeId", "attemptId", "cause", "observedState", "reason", "handoff"}
      pending SESSION              tells what is owed to a session
      eligible ID                  lets a fallback resolve it
      claim ID TOKEN               takes it for 30 s, or takes it again
      resolve ID TOKEN RESOLUTION  records the message that was delivered under the claim
      release ID TOKEN             gives the claim back
  TEXT
  COMMANDS = { "insert" => 1, "pending" => 1, "eligible" => 1, "claim" => 2, "resolve" => 3, "release" => 2 }.freeze
  DDL = ENV.fetch("DEFERRED_TURNS_DDL", "generated/ddl.sql")
  SCHEMA_ID = "pi-workflows.controller-store.v1".freeze
  LEASE_MS = 30_000
  FACTS = %w[workflowName runId observedState cause nodeId attemptId reason handoff].freeze

  module_function

  # Opens a store. An empty database becomes one, and one that lacks the guards gets them.
  def open_store(path)
    File.umask(0o077)
    database = SQLite3::Database.new(path)
    database.busy_timeout = 5000
    require_store(database, path)
    database.execute("PRAGMA journal_mode = WAL")
    database.transaction(:immediate) do
      database.execute_batch(File.read(DDL, encoding: "UTF-8"))
      database.execute("INSERT OR IGNORE INTO schema_info VALUES (1, ?)", [SCHEMA_ID])
    end
    database
  end

  # Refuses a database that is something else.
  def require_store(database, path)
    tables = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").flatten
    return if tables.empty?
    return if tables.include?("schema_info") && database.get_first_value("SELECT schema_id FROM schema_info") == SCHEMA_ID

    raise Contracts::Refused, "#{path} is no #{SCHEMA_ID}; it was left as it is."
  end

  # The columns of an intent, its ids and its facts among them.
  def row_of(intent)
    source_event_id = Contracts.source_event_id(intent)
    facts = JSON.generate({ "schema" => "pi-workflows.deferred-turn-facts.v1", **FACTS.to_h { |name| [name, intent[name]] } })
    Contracts.read_document("deferred-turn-facts.v1", facts)
    {
      "intent_id" => Contracts.turn_intent_id({ **intent, "sourceEventId" => source_event_id }),
      "source_event_id" => source_event_id,
      "run_id" => intent["runId"],
      "workflow_ref" => intent["workflowRef"],
      "target_session_id" => intent["targetSessionId"],
      "cause" => intent["cause"],
      "node_id" => intent["nodeId"],
      "attempt_id" => intent["attemptId"],
      "fallback_facts_json" => facts
    }
  end

  # Runs one conditional statement; true when it changed a row. The clock is read when nobody else can write.
  def decide(database, statement, **values)
    changed = []
    database.transaction(:immediate) do
      now = Time.now.utc
      clock = { "now" => (now.to_r * 1000).floor, "time" => now.strftime("%Y-%m-%dT%H:%M:%S.%LZ") }
      changed = query(database, statement, **clock, **values)
    end
    !changed.empty?
  end

  # The gem refuses values that a statement does not name.
  def query(database, statement, **values)
    named = values.select { |name, _value| statement.match?(/:#{name}\b/) }
    database.execute(statement, named)
  end

  # Tells the intent that stands for the interruption, which is another one where that is not resolved yet.
  def insert(database, text)
    row = row_of(JSON.parse(text))
    created = decide(database, Statements::INSERT, **row)
    { intentId: query(database, Statements::STANDING, **row).first.first, created: created }
  end

  def pending(database, session)
    rows = query(database, Statements::PENDING, target_session_id: session)
    rows.map do |intent_id, run_id, cause, eligible_at, facts|
      { intentId: intent_id, runId: run_id, cause: cause, eligibleAt: eligible_at, facts: JSON.parse(facts) }
    end
  end

  def eligible(database, intent_id)
    decide(database, Statements::ELIGIBLE, intent_id: intent_id)
  end

  def claim(database, intent_id, token)
    decide(database, Statements::CLAIM, intent_id: intent_id, token: token, lease_ms: LEASE_MS)
  end

  def resolve(database, intent_id, token, resolution)
    message_id = Contracts.resolution_message_id({ "intentId" => intent_id, "resolution" => resolution })
    values = { intent_id: intent_id, token: token, resolution: resolution, message_id: message_id }
    decide(database, Statements::RESOLVE, **values)
  end

  def release(database, intent_id, token)
    decide(database, Statements::RELEASE, intent_id: intent_id, token: token)
  end
end

if $PROGRAM_NAME == __FILE__
  path, command, *arguments = ARGV
  abort Writer::USAGE unless Writer::COMMANDS[command] == arguments.size
  begin
    puts JSON.generate(Writer.public_send(command, Writer.open_store(path), *arguments))
  rescue Contracts::Refused, JSON::ParserError, SQLite3::Exception => error
    abort error.message
  end
end
