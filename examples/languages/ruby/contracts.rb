# Documents and ids of the contracts, decided by the published schema files and by what no schema can say.

require "digest"
require "json"
require "set" # json_schemer 0.2 needs it and does not say so
require "json_schemer"

module Contracts
  # The text or the parts break their contract.
  class Refused < StandardError; end

  # An object that has every field once.
  class Fields < Hash
    def []=(name, value)
      raise Refused, "the field #{name} is given twice" if key?(name)

      super
    end
  end

  SCHEMAS = ENV.fetch("DEFERRED_TURNS_SCHEMAS", "schemas")
  SOURCES = Dir.glob("#{SCHEMAS}/*.schema.json").to_h do |path|
    [File.basename(path, ".schema.json"), JSON.parse(File.read(path, encoding: "UTF-8"))]
  end
  SCHEMERS = SOURCES.transform_values { |schema| JSONSchemer.schema(schema) }
  # The escapes of a JSON text: a pair of surrogates, one that Ruby takes amiss, or any other. JSON.parse makes other text
  # of half of a pair, and lets an escape pass that JSON does not have.
  ESCAPES = %r{\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(?<half>\\u[dD][89a-fA-F]..)|(?<unknown>\\[^"\\/bfnrtu])|\\.}m
  RESOLUTIONS = %w[workflowPrompt presentation fallback].freeze

  # The value of a document, given as a string of whatever encoding; its bytes count.
  def self.read_document(contract, document)
    text = document.dup.force_encoding("UTF-8")
    limit = SOURCES.fetch(contract)["x-maxBytes"]
    raise Refused, "the text is too long" if limit && text.bytesize > limit
    raise Refused, "the text is no UTF-8" unless text.valid_encoding?
    raise Refused, "the text has an escape that is none" if text.scan(ESCAPES).any? { |_half, unknown| unknown }

    value = JSON.parse(without_halves(text), object_class: Fields)
    flaw = SCHEMERS.fetch(contract).validate(value).first
    raise Refused, "#{flaw['data_pointer']} breaks #{flaw['schema_pointer']}" if flaw

    value
  rescue JSON::ParserError => error
    raise Refused, error.message
  end

  # A text with U+0000 in place of halves of pairs: the schemas refuse it where they refuse a half.
  def self.without_halves(text)
    text.gsub(ESCAPES) { |escape| Regexp.last_match(:half) ? "\\u0000" : escape }
  end

  # Judges the parts of an id: each is what the facts say of the field that its rule names.
  def self.parts_schemer(rules)
    facts = SOURCES.fetch("deferred-turn-facts.v1")
    properties = rules.transform_values { |field| facts["properties"].fetch(field) }
    JSONSchemer.schema(
      { "required" => rules.keys - ["discriminator"], "properties" => properties, "definitions" => facts["definitions"] }
    )
  end

  TURN_INTENT = {
    "targetSessionId" => "runId", "runId" => "runId", "sourceEventId" => "runId",
    "nodeId" => "nodeId", "attemptId" => "attemptId", "cause" => "cause"
  }.freeze
  SOURCE_EVENT = {
    "kind" => "runId", "runId" => "runId", "nodeId" => "nodeId", "attemptId" => "attemptId", "discriminator" => "nodeId"
  }.freeze
  PARTS = { TURN_INTENT => parts_schemer(TURN_INTENT), SOURCE_EVENT => parts_schemer(SOURCE_EVENT) }.freeze
  INTENT_ID = JSONSchemer.schema(SOURCES.dig("deferred-turn-message.v1", "properties", "turnIntentId"))

  def self.turn_intent_id(parts)
    "deferred-turn:#{digest(TURN_INTENT, parts)}"
  end

  def self.source_event_id(parts)
    "source-event:#{digest(SOURCE_EVENT, parts)}"
  end

  def self.resolution_message_id(parts)
    intent_id, resolution = parts.values_at("intentId", "resolution")
    raise Refused, "no id of an intent" unless INTENT_ID.valid?(intent_id)
    raise Refused, "no resolution" unless RESOLUTIONS.include?(resolution)

    "#{intent_id}:#{resolution}"
  end

  def self.digest(rules, parts)
    raise Refused, "a part is no UTF-8" unless parts.values.grep(String).all?(&:valid_encoding?)
    raise Refused, "a part is no key" unless PARTS.fetch(rules).valid?(parts)

    Digest::SHA256.hexdigest(JSON.generate(rules.keys.map { |part| parts[part] }))
  end
end
