# frozen_string_literal: true

module Mohs
  class Study
    # Seconds as people write them: 60, 60s, 2m, 1h, 1.5m, 500ms.
    module Duration
      UNITS = { nil => 1, "ms" => 0.001, "s" => 1, "m" => 60, "min" => 60, "h" => 3600 }.freeze
      FORM = /\A(?<number>\d+(?:\.\d+)?)\s*(?<unit>ms|s|m|min|h)?\z/

      # Raises UsageError.
      #: (String | Numeric) -> Numeric
      def self.parse(text)
        match = FORM.match(text.to_s.strip)
        seconds = match && (match[:number].to_f * UNITS.fetch(match[:unit]))
        return seconds if seconds&.positive?

        raise UsageError, "#{text.to_s.inspect} is no length of time. Write 90s, 2m or 1h."
      end
    end
  end
end
