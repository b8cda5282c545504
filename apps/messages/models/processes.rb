# frozen_string_literal: true

module Messages
  # A worker ends when its pipe does: with the master, however that ends. Until they end, later
  # workers keep the pipes of earlier ones open, so they end from the last to the first.
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

    # Signals are the server's to handle; nothing of its is run when the worker ends.
    def work(link)
      SIGNALS.each { |name| trap(name, "DEFAULT") }
      [link.master_in, link.master_out].each(&:close)
      Messages.serve(link.worker_in, link.worker_out)
    ensure
      exit!
    end
  end
end
