# frozen_string_literal: true

module Mohs
  # Where Ctrl-C and the other signals that end mohs may interrupt. In the middle of a clean-up or
  # of a write they would leave half of it behind, and hide their own cause behind the errors that
  # follow. Only exceptions that come by Thread#raise can be deferred (see CLI::StopSignals).
  module Interruption
    class << self
      # Defers them until the block has ended.
      #: [T] () { (Object) -> T } -> T
      def held(&) = Thread.handle_interrupt(SignalException => :never, &)

      # Lets them interrupt at once, including those deferred so far.
      #: [T] () { (Object) -> T } -> T
      def heard(&) = Thread.handle_interrupt(SignalException => :immediate, &)

      # Is the error one of them, or a failure in a clean-up that one of them had begun?
      #: (Exception) -> bool
      def behind?(error)
        error.is_a?(SignalException) || (!error.cause.nil? && behind?(error.cause))
      end
    end
  end
end
