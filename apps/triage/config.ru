# frozen_string_literal: true

# Maintenance requests get a category, or are handed over to a person: POST / for one text, GET /
# for an inbox of 200. Work for the processor, with the garbage of short strings and arrays.
# `ruby train.rb` prints how often the categories are right.
require_relative "triage"
require "json"

INBOX = Triage::Requests.new(Triage::SEED + 3).call(200).map(&:text).freeze

# Trained as it boots.
class Office
  def initialize
    @desk = Triage::Desk.new
  end

  def call(env)
    answer = env["REQUEST_METHOD"] == "POST" ? one(env["rack.input"].read) : inbox
    body = "#{JSON.generate(answer)}\n"
    [200, { "content-type" => "application/json", "content-length" => body.bytesize.to_s }, [body]]
  end

  private

  # Bodies have no encoding of their own.
  def one(text)
    category, confidence = @desk.call(text.dup.force_encoding("UTF-8").scrub)
    sure = confidence >= Triage::SURE
    { category: sure ? category : nil, guess: category, confidence: confidence.round(3) }
  end

  def inbox
    found = @desk.triage(INBOX)
    { requests: found.size, assigned: found.compact.size, handed_over: found.count(nil) }
  end
end

run Office.new
