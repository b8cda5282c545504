# frozen_string_literal: true

require "test_helper"
require "mohs/core"

module Mohs
  # Every answer of test/fixtures/responses through the parser: whole, byte by byte, and cut at
  # every place. Through the engine they go in test/integration/load/responses_test.rb.
  class ParsedResponsesTest < TestCase
    test "there are hundreds, of every class that an answer can have" do
      responses = Responses.all
      assert_operator responses.size, :>=, 200
      assert_equal responses.size, responses.map(&:name).uniq.size
      assert_equal responses.size,
                   responses.map { |r| [r.bytes, r.ending, r.head, r.wants] }.uniq.size
      # those that are about connections, or about what was expected, and not about an answer
      elsewhere = %w[refused unreachable connect_timeout no_local_port no_descriptor
                     closed_between_requests reset_between_requests wrong_status wrong_length
                     wrong_body no_capture in_flight_at_end other bad_upgrade rejected dropped
                     tls_error]
      # (missing_text and wrong_type are among the answers: the engine checks them, not the parser)
      assert_equal Core::ERRORS.sort, (responses.map(&:error).uniq + elsewhere).sort
    end

    test "each is what it should be, however it is cut" do
      responses = Responses.all
      found = CBuild.new.parse(responses.map { |response| [response.bytes, response.head] })
      assert_equal responses.size, found.size
      responses.zip(found) { |response, line| compare(response, line) }
    end

    private

    def compare(response, line)
      event, status, *rest = line.split(" ", -1)
      facts = [error(response, event, rest), status.to_i, body(event, rest).bytesize]
      refute_equal "cut", event, "#{response.name}: #{line[0, 200]}"
      wanted = response.wants.empty? ? response.error : "ok"
      assert_equal [wanted, response.status, response.size], facts, response.name
      assert_equal response.body, body(event, rest), response.name if response.body
      return unless wanted == "ok"

      assert_equal response.reused ? "1" : "0", rest.first, response.name
    end

    def body(event, rest)
      [rest[%w[done more].include?(event) ? 2 : 0].to_s].pack("H*")
    end

    # What the engine has to make of the parser's words: it knows the end of the connection too.
    def error(response, event, (_, result))
      return event unless %w[done more].include?(event)
      return result == "0" ? "ok" : "extra_bytes" if event == "done"

      started = !response.bytes.empty?
      case response.ending
      when :keep then started ? "timeout" : "timeout_first_byte"
      when :fin then started ? result : "closed_before_answer"
      when :rst then started ? result.sub(/\Aok\z/, "closed_in_body") : "reset_before_answer"
      end
    end
  end
end
