# frozen_string_literal: true

module Mohs
  module Tune
    # The most memory that a setting may need: by --memory, or by a control group. Pure.
    class MemoryLimit
      #: (Tune::Rules) -> void
      def initialize(rules)
        @asked = rules.memory_bytes
        @limits = { "option" => @asked, "cgroup" => rules.cgroup.to_h[:memory_bytes] }.compact
      end

      # memory: a setting's, in bytes; nil if unknown. Unknown memory fits no limit that a user
      # asked for. A cgroup's limit it does fit: that would have ended the server.
      #: (Stats::Interval?) -> bool
      def fits?(memory) = memory ? memory.value <= bytes : @asked.nil?

      # Why a setting can't be recommended, whatever its rate; nil if it fits.
      #: (Stats::Interval?) -> Reason?
      def reason(memory)
        return if fits?(memory)
        return Reason.new(code: "memory_unknown") unless memory

        Reason.new(code: "needs_more_memory", values: { needed_bytes: memory.value.round,
                                                        limit_bytes: bytes,
                                                        by: @limits.key(bytes) })
      end

      private

      def bytes = @limits.values.min || Float::INFINITY
    end
  end
end
