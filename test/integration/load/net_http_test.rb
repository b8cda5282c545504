# frozen_string_literal: true

require "test_helper"
require "net/http"
require "stringio"

module Mohs
  # The driver beside Ruby's own client, on answers of every framing by chance: well-formed ones,
  # and those that end too early or have a fault which Net::HTTP minds too (it does not mind many;
  # the others are for test/c/core_test.rb). The parser reads each cut at every place.
  class NetHTTPTest < TestCase
    include LoadHelper

    FRESH = 1 # MOHS_RECORD_FRESH of ext/mohs/core/record.h

    test "the parser reads the status and body that Net::HTTP reads" do
      answers = answers(150).map { |bytes, _| [bytes, false] }
      found = CBuild.new.parse(answers)
      answers.zip(found) do |(bytes, _), line|
        response = read(bytes)
        _, status, _, class_or_left, body = line.split(" ", -1)
        assert_equal [response.code, response.body.to_s], [status, [body].pack("H*")], bytes[0, 500]
        assert_includes %w[0 ok], class_or_left, bytes[0, 500]
      end
    end

    test "a body that ends too early is an error to both or to neither" do
      random = Random.new(Minitest.seed)
      cut = answers(300).map do |bytes, _|
        head = bytes[/\A(?:HTTP\/1.1 1.*?\r\n\r\n)*.*?\r\n\r\n/mn].bytesize
        bytes.byteslice(0, random.rand(head..bytes.bytesize))
      end
      assert_equal [false, true], compare_errors(cut).uniq.sort_by(&:to_s)
    end

    # What is done to an answer whose interim answers are left out, and the class that it has to us.
    FAULTS = {
      "bad_status_line" => ->(bytes) { bytes.sub(/ \d/n, " x") },
      "bad_header" => ->(bytes) { bytes.sub("\r\n", "\r\nno colon\r\n") },
      "bad_length" => ->(bytes) { bytes.sub(/^(content-length: *)\d+/in, "\\1x") },
      "bad_chunk" => ->(bytes) { bytes.sub(/(chunked *\r\n(?:.+\r\n)*\r\n)\h+.*/in, "\\1xyz\r") },
    }.freeze

    test "a fault in head or framing is an error to both" do
      whole = answers(1000).map { |bytes, _| bytes.sub(/\A(?:HTTP\/1.1 1.*?\r\n\r\n)+/mn, "") }
      FAULTS.each do |name, fault|
        faulty = whole.lazy.map(&fault).zip(whole).reject { |one, other| one == other }.first(30)
        assert_equal 30, faulty.size, "not every framing can have this fault, but many can"
        assert_equal [true], compare_errors(faulty.map(&:first), name).uniq
      end
    end

    test "the driver and Net::HTTP read the same, and use the same connections again" do
      answers = answers(200)
      ours, our_connections, fresh = by_driver(answers)
      theirs, their_connections = by_net_http(answers)
      assert_equal theirs, ours
      assert_equal their_connections, our_connections
      assert_equal our_connections, fresh
      assert_equal [true, *answers[0...-1].map { |_, fate| fate == :close }], fresh
    end

    private

    # The same for both tests and both clients; minitest prints the seed.
    def answers(count)
      source = RandomAnswers.new(Random.new(Minitest.seed))
      Array.new(count) { source.call }
    end

    # Whether both took each for an error; ours are of the class `wanted`, where it is known.
    def compare_errors(all, wanted = nil)
      all.zip(CBuild.new.parse(all.map { |bytes| [bytes, false] })).map do |bytes, line|
        event, _, _, result = line.split(" ", -1)
        error = event == "more" ? result : event
        assert_equal wanted, error, bytes[0, 500] if wanted
        ours = !%w[done ok].include?(error)
        assert_equal refused?(bytes), ours, "#{line[0, 50]}: #{bytes[0, 500].inspect}"
        ours
      end
    end

    # Net::HTTP takes less than Content-Length says, but who called it can see that.
    def refused?(bytes)
      response = read(bytes)
      response.class.body_permitted? && response.body.bytesize < response.content_length.to_i
    rescue EOFError, Net::HTTPBadResponse, Net::HTTPHeaderSyntaxError
      true
    end

    def read(bytes)
      io = Net::BufferedIO.new(StringIO.new(bytes))
      loop do
        response = Net::HTTPResponse.read_new(io)
        next if response.is_a?(Net::HTTPInformation)

        response.reading_body(io, true) { response.body }
        return response
      end
    end

    # What was read, request by request: [[status, bytes]]; whether each request came on a
    # connection of its own, as the server saw it; and as the driver recorded it.
    def by_driver(answers)
      requests = [Load::Request.new(check: Load::Check.new(statuses: (200..599).to_a))]
      served(answers) do |server|
        with_driver([target_on(server, connections: 1, requests:)]) do |driver|
          assert_empty driver.run([Load::Step.new(count: answers.size)]).first.errors
          entries = driver.recording(0).each.to_a
          return [entries.map { |entry| [entry.status, entry.bytes] }, new_ones,
                  entries.map { |entry| entry.flags.anybits?(FRESH) }]
        end
      end
    end

    def by_net_http(answers)
      served(answers) do |server|
        client = Net::HTTP.new("127.0.0.1", server.port, nil)
        client.max_retries = 0
        read = client.start do
          answers.map do
            response = client.get("/", "Accept-Encoding" => "identity")
            [response.code.to_i, response.body.to_s.bytesize]
          end
        end
        return [read, new_ones]
      end
    end

    # A FakeServer has a thread for each connection.
    def served(answers, &block)
      @threads = []
      script = lambda do |number|
        @threads << Thread.current
        answers.fetch(number - 1)
      end
      FakeServer.open(script, &block)
    end

    def new_ones
      [nil, *@threads].each_cons(2).map { |before, now| before != now }
    end
  end
end
