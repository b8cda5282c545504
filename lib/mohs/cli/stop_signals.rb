# frozen_string_literal: true

module Mohs
  class CLI
    # What Ctrl-C (INT), kill (TERM) and closing the terminal (HUP) do during a measurement: the
    # first signal raises, so that servers are stopped, the run stays resumable and the table is
    # printed. Further signals would interrupt exactly that: the second is ignored, since a wrapper
    # of mohs may pass on what its terminal has already sent; the third exits at once, and the
    # supervisors end what still runs.
    class StopSignals
      NAMES = %w[INT TERM HUP].freeze
      LAST = 3

      # The number of the first signal, nil if there was none.
      attr_reader :first

      #: () -> void
      def initialize
        @count = 0
      end

      # 130 after Ctrl-C, as in a shell.
      #: () -> Integer
      def status = 128 + (@first || Signal.list.fetch("INT"))

      # Loads everything first: a signal that interrupts loading a file leaves constants behind that
      # are never found again.
      #: [T] () { () -> T } -> T
      def during
        LOADER.eager_load
        before = NAMES.to_h { |name| [name, listen(name)] }
        yield
      ensure
        before&.each { |name, handler| trap(name, handler || "DEFAULT") }
      end

      private

      # A signal that was ignored when mohs was started (nohup) stays ignored.
      def listen(name)
        before = trap(name) { |number| came(name, number) }
        trap(name, before) if before == "IGNORE"
        before
      end

      def came(name, number)
        @count += 1
        @first ||= number
        exit!(status) if @count == LAST
        return if @count > 1

        Thread.main.raise(name == "INT" ? Interrupt.new("") : SignalException.new(name))
      end
    end
  end
end
