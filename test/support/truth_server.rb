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

    # ns from the last byte of each request to the last of its answer, ascending. After #stop.
    attr_reader :times

    #: () -> void
    def stop
      @pipe.close_write
      @times = @pipe.read.unpack("Q*").each_slice(2).map { |came, left| left - came }.sort
      @pipe.close
    end
  end
end
