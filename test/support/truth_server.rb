# frozen_string_literal: true

module Mohs
  # test/support/truth_server.c in a process of its own: chosen delays, and its record of them.
  class TruthServer
    PROGRAM = CBuild.new.alone("test/support/truth_server.c")
    BODY = "truth"

    # Yields a server; afterwards #times tells what it did.
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

    # Of each request, as they ended: the monotonic clock in ns when its last byte came, and when
    # the last of its answer had left. After #stop.
    attr_reader :record

    # ns from the one to the other, ascending.
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
