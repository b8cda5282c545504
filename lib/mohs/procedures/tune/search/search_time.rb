# frozen_string_literal: true

module Mohs
  module Tune
    # How long a search has to be, in seconds, with the load beyond its rate. Pure.
    module SearchTime
      # The shortest search that finds a rate.
      LEAST_S = 6

      # Searches are planned to be longer than they need to be, since the machine may become
      # faster after the race, and settings vary from boot to boot: in three tunings of Lobsters
      # the rates before the searches were up to 30 % higher than in the race.
      ROOM = 1.3
      private_constant :ROOM

      # A search that has more time than it needs is longer than that by this at most: its server
      # may be faster than any in the race.
      AMPLE = 1.25

      module_function

      # Enough for the limit, if the settings serve so many requests a second with all threads
      # busy; at least LEAST_S.
      #: (Load::Limit, Array[Numeric]) -> Numeric
      def needed_s(limit, rates)
        needed = rates.map { |rate_per_s| Analysis::RateSearch.needed_s(limit:, rate_per_s:) }
        [*needed.map { |time| with_room_s(time) }, LEAST_S].max
      end

      # What the searches that found this would have needed; nil if nobody knows.
      #: (Array[Hash[Symbol, untyped]]) -> Numeric?
      def needed_by_s(found)
        found.filter_map { |one| one[:needed_s] }.map { |time| with_room_s(time) }.max
      end

      # needed_s: the time in which all sections of the search are long enough (RateSearch), half
      # of which is enough.
      #: (Float) -> Float
      def with_room_s(needed_s) = (ROOM * needed_s / Analysis::Rate::SHORT) + Result::BEYOND_S

      # Was a search too short for the limit, so that its rate is too high? A bound is not. found:
      # its result.
      #: (Hash[Symbol, untyped]) -> bool
      def short?(found)
        found[:outcome] != Analysis::Rate::BOUND &&
          Analysis::Rate.short?(needed_s: found[:needed_s], searched_s: found[:searched_s])
      end
    end
  end
end
