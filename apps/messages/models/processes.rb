# frozen_string_literal: true

module Messages
  # A worker ends when its pipe closes, which happens when the master ends, for whatever reason.
  # Later workers hold the pipes of earlier ones open, so workers end from the last to the first.
  class Processes < Master
    SIGNALS = %w[INT TERM HUP USR1 USR2 CHLD].freeze

    def initialize(*)
      raise "MODEL=processes needs fork, which #{RUBY_ENGINE} has not" \
        unless Process.respond_to?(:fork)

      super
    end

    private

    def connect
      link = super
      fork { work(link) }
      [link.worker_in, link.worker_out].each(&:close)
      link
    end

    # Signals are for the server to handle, and none of its at_exit code runs when the worker ends.
    def work(link)
      SIGNALS.each { |name| trap(name, "DEFAULT") }
      [link.master_in, link.master_out].each(&:close)
      Messages.serve(link.worker_in, link.worker_out)
    ensure
      exit!
    end
  end
end
