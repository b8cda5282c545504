# frozen_string_literal: true

module Mohs
  module Load
    # What a tool of others told about the latency of its requests, in the place of a Recording
    # where requests are not recorded. `times`: { share => ns }, 0.0 the fastest and 1.0 the
    # slowest; `good` right answers. What was not told is nil.
    Summary = Struct.new(:good, :times, keyword_init: true) do
      #: (?good: Integer?, ?times: Hash[Float, Integer]) -> void
      def initialize(good: nil, times: {})
        super
        freeze
      end

      # Requests recorded: none is.
      #: () -> nil
      def size = nil

      # As Recording#quantiles, for the shares that were told. The tools load in a closed loop,
      # where the time from the moment a request is due is its service time.
      #: (Symbol, Array[Numeric]) -> Array[Integer?]
      def quantiles(kind, shares) = shares.map { |share| times[share] unless kind == :first }
    end
  end
end
