# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # What a comparison says while it goes on: "requests/s +32 % [24, 41]". The interval is that
      # of the last look; before the first one only the cohorts' mean is known.
      class CompareLook
        #: (Hash[Symbol, untyped]) -> void
        def initialize(document)
          @verdict = document[:verdict]
          @metric = document[:metrics].find { |metric| metric[:key] == @verdict[:metric] }
        end

        #: () -> String
        def to_s
          return @metric[:title] unless @verdict[:effect]

          change = Change.new(@verdict, better: @metric[:better])
          [@metric[:title], change.signed, *change.interval].join(" ")
        end
      end
    end
  end
end
