# frozen_string_literal: true

module Mohs
  # test/support/stream_truth_server.c in its own process: events and echoes at chosen times, and
  # its record of them.
  class StreamTruthServer
    PROGRAM = CBuild.new.alone("test/support/stream_truth_server.c")
    FIRST = 1 << 63

    # Yields a server; afterwards it has what it did.
    #: (*(String | Integer)) { (StreamTruthServer) -> void } -> StreamTruthServer
    def self.open(*mode)
      server = new(*mode)
      yield server
      server
    ensure
      server&.stop
    end

    #: (*(String | Integer)) -> void
    def initialize(*mode)
      @pipe = IO.popen([PROGRAM, *mode.map(&:to_s)], "r+b")
      @port = Integer(@pipe.gets)
    end

    attr_reader :port

    # ns from when requests came to when their first events left, ascending.
    #: () -> Array[Integer]
    def firsts = times(@record.select { |from, _| from >= FIRST })

    # ns between events of a stream, or from when a message came to when it left, ascending.
    #: () -> Array[Integer]
    def others = times(@record.reject { |from, _| from >= FIRST })

    # Of messages to all: by the number of each, when it was sent to connections, ascending, on the
    # monotonic clock: [right before, right after].
    #: () -> Hash[Integer, [Array[Integer], Array[Integer]]]
    def sent_to_all
      @record.group_by { |number, _| number % FIRST }.transform_values do |all|
        all.partition { |number, _| number < FIRST }.map { |times| times.map(&:last).sort }
      end
    end

    #: () -> void
    def stop
      @pipe.close_write
      @record = @pipe.read.unpack("Q*").each_slice(2).to_a
      @pipe.close
    end

    private

    def times(record) = record.map { |from, left| left - (from % FIRST) }.sort
  end
end
