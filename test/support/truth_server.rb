# frozen_string_literal: true

module Mohs
  # test/support/truth_server.c in its own process: chosen delays, and its record of them.
  class TruthServer
    PROGRAM = CBuild.new.alone("test/support/truth_server.c")
    BODY = "truth"

    # Yields a server; afterwards #times has what it did.
    #: (*(String | Integer)) { (TruthServer) -> void } -> TruthServer
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

    # For each request, in the order in which they ended: when its last byte came and when the last
    # byte of its response had left, in ns of the monotonic clock. Call after #stop.
    attr_reader :record

    # ns from arrival to departure, ascending.
    #: () -> Array[Integer]
    def times = record.map { |came, left| left - came }.sort

    #: () -> void
    def stop
      @pipe.close_write
      @record = @pipe.read.unpack("Q*").each_slice(2).to_a
      @pipe.close
    end
  end
end
