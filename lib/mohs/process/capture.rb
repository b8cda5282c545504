# frozen_string_literal: true

module Mohs
  module Process
    # Runs a short command to its end and returns what it said. At the deadline, or when the command
    # has ended and left something running, the whole tree below it is killed.
    module Capture
      Result = Struct.new(:stdout, :stderr, :status, :timed_out, keyword_init: true) do
        #: () -> bool
        def success? = status.success?
      end

      # More than any short command says; one that says more blocks until its deadline, so that it
      # cannot fill our memory.
      LIMIT_BYTES = 64 * 1024 * 1024

      # Never raises for what the command does or is: one that cannot be started has status 127 or
      # 126 and says why on stderr.
      #: (Command, timeout_s: Numeric, ?spawner: Spawner) -> Result
      def self.call(command, timeout_s:, spawner: Spawner.new)
        out, out_end = IO.pipe
        err, err_end = IO.pipe
        child = spawner.start(command, out: out_end, err: err_end)
        [out_end, err_end].each(&:close)
        finish(child, timeout_s, [out, err])
      ensure
        child&.kill
        [out, out_end, err, err_end].compact.each(&:close)
      end

      # Killing what the command left running also closes its ends of the pipes, which ends the
      # reading.
      def self.finish(child, timeout_s, pipes)
        readers = pipes.map { |pipe| Thread.new { pipe.read(LIMIT_BYTES) || "" } }
        readers.each { |reader| reader.report_on_exception = false } # an interrupt closes its pipe
        ended = child.wait(timeout_s)
        child.kill
        stdout, stderr = readers.map { |reader| Text.utf8(reader.value) }
        Result.new(stdout:, stderr:, status: child.exit_status, timed_out: ended.nil?).freeze
      end
      private_class_method :finish
    end
  end
end
