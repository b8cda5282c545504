# frozen_string_literal: true

module Mohs
  # Where Ctrl-C and the other signals that end mohs may interrupt. In the middle of a clean-up or
  # of a write they would leave half of it undone, and hide their own cause behind the errors that
  # follow. Only exceptions raised by Thread#raise can be deferred (see CLI::StopSignals).
  module Interruption
    class << self
      # Defers these signals until the block has ended.
      #: [T] () { (Object) -> T } -> T
      def held(&) = Thread.handle_interrupt(SignalException => :never, &)

      # Lets these signals interrupt at once, including those deferred so far.
      #: [T] () { (Object) -> T } -> T
      def heard(&) = Thread.handle_interrupt(SignalException => :immediate, &)

      # Whether the error is such a signal, or a failure in a clean-up that one has started.
      #: (Exception) -> bool
      def behind?(error)
        error.is_a?(SignalException) || (!error.cause.nil? && behind?(error.cause))
      end
    end
  end
end
