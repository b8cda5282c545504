# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # A check answers #call with a Doctor::Result. It implements #judge, over `facts`, by ending
      # in `graded`, `ok`, `warn`, `bad` or `unknown`, and has as constants: LABEL, what it is
      # called on screen; UNIT of its value (nil: a word); NEEDS, facts without which nothing can
      # be told; and where a number is graded, LIMITS { warn:, bad: }: from `warn` on it is
      # suspect, beyond `bad` it costs much. Where warn is the larger, less is worse.
      class Base
        NEEDS = [].freeze
        UNIT = nil
        SHARE = "share" # 0..1

        # Its name in documents: that of its file.
        #: () -> String
        def self.title
          name.split("::").last.gsub(/(?<=[a-z])[A-Z]/) { |letter| "_#{letter}" }.downcase
        end

        #: (Doctor::Facts) -> void
        def initialize(facts)
          @facts = facts
        end

        #: () -> Doctor::Result
        def call
          self.class::NEEDS.all? { |fact| facts[fact] } ? judge : unknown("not observed")
        end

        private

        attr_reader :facts

        def reader = facts.reader

        def judge = raise(NotImplementedError, "#{self.class}#judge")

        def graded(value, detail, remedy: nil)
          level = level_of(value, **self.class::LIMITS)
          result(level, value, detail, remedy)
        end

        def ok(value, detail) = result("ok", value, detail)

        def warn(value, detail, remedy:) = result("warn", value, detail, remedy)

        def bad(value, detail, remedy:) = result("bad", value, detail, remedy)

        def unknown(why) = result("unknown", nil, why)

        def result(level, value, detail, remedy = nil)
          value = value.round(4) if value.is_a?(Float)
          remedy = nil if %w[ok unknown].include?(level)
          Result.new(name: self.class.title, label: self.class::LABEL, value:,
                     unit: self.class::UNIT, level:, detail:, remedy:)
        end

        def level_of(value, warn:, bad:)
          return level_of(-value, warn: -warn, bad: -bad) if warn > bad
          return "bad" if value > bad

          value >= warn ? "warn" : "ok"
        end

        def percent(share) = "#{format(share < 0.0995 ? '%.2g' : '%.0f', share * 100)} %"

        # The core that is worst off.
        def worst = facts.spins.max_by { |spin| yield(spin) }
      end
    end
  end
end
