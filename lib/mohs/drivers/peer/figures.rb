# frozen_string_literal: true

module Mohs
  module Drivers
    module Peer
      # What a tool told about its load. nil, or a share without an entry in `times`, is what it
      # can't tell; 0 is a count of none.
      #   wall_ns    the length of the load
      #   sent       requests, in flight at the end included;  completed  whole answers
      #   good       right answers;  errors  { "class" => count } in the tool's words, ours where
      #              they mean the same (docs/driver.md); without zeros
      #   bytes      of bodies;  latency_sum_ns  of good requests, where it is not rounded
      #   times      { share => ns } of the service time
      Figures = Struct.new(:wall_ns, :sent, :completed, :good, :errors, :bytes, :latency_sum_ns,
                           :times, keyword_init: true) do
        # A time of zero is one below the tool's resolution: unknown.
        #: (wall_ns: Integer, completed: Integer?, good: Integer?, ?times: Hash[Float, Integer?], ?sent: Integer?, ?errors: Hash[String, Integer?], ?bytes: Integer?, ?latency_sum_ns: Numeric?) -> void
        def initialize(wall_ns:, completed:, good:, sent: nil, errors: {}, bytes: nil,
                       latency_sum_ns: nil, times: {})
          super(wall_ns:, sent:, completed:, good:, bytes:, latency_sum_ns:,
                errors: errors.select { |_, count| count&.positive? }.freeze,
                times: times.select { |_, ns| ns&.positive? }.freeze)
          freeze
        end
      end
    end
  end
end
