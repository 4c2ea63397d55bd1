# Answers the conformance corpus: deferred-turns conformance --run 'ruby conformance.rb'

require "base64"
require "json"
require "sqlite3"
require_relative "contracts"

DDL = File.read(ENV.fetch("DEFERRED_TURNS_DDL", "generated/ddl.sql"), encoding: "UTF-8")
IDS = {
  "turnIntentId" => Contracts.method(:turn_intent_id),
  "sourceEventId" => Contracts.method(:source_event_id),
  "resolutionMessageId" => Contracts.method(:resolution_message_id)
}.freeze

def answer(request)
  if Contracts::SCHEMERS.key?(request["validate"])
    { valid: valid?(request) }
  elsif IDS.key?(request["digest"])
    { digest: id_of(request) }
  elsif request.key?("execute")
    { accepted: accepted?(request) }
  else
    { unsupported: "This program does not know the request." }
  end
end

def valid?(request)
  document = request["text"] || Base64.strict_decode64(request.fetch("base64"))
  Contracts.read_document(request["validate"], document)
  true
rescue Contracts::Refused
  false
end

def id_of(request)
  IDS.fetch(request["digest"]).call(request["parts"])
rescue Contracts::Refused
  nil
end

def accepted?(request)
  database = SQLite3::Database.new(":memory:")
  database.execute_batch2(request["before"] + DDL + request["setup"])
  begin
    database.execute_batch(request["execute"])
    true
  rescue SQLite3::Exception
    false
  end
ensure
  database.close
end

$stdout.sync = true
$stdin.set_encoding("UTF-8")
$stdin.each_line do |line|
  request = JSON.parse(Contracts.without_halves(line))
  puts JSON.generate({ id: request["id"], **answer(request) })
end
