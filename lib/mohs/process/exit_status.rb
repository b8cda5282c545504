# frozen_string_literal: true

module Mohs
  module Process
    # How a command ended: by an exit code, or by a signal; the other is nil.
    ExitStatus = Struct.new(:code, :signal, keyword_init: true) do
      # From the status word of wait(2): the low seven bits are the signal, the next byte the code.
      #: (Integer) -> ExitStatus
      def self.from_wait(word)
        signal = word & 0x7f
        signal.zero? ? new(code: (word >> 8) & 0xff).freeze : new(signal:).freeze
      end

      #: () -> bool
      def success? = code == 0 # rubocop:disable Style/NumericPredicate -- code may be nil

      #: () -> String
      def to_s = signal ? "killed by SIG#{Signal.signame(signal) || signal}" : "exit #{code}"
    end
  end
end
