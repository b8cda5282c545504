# frozen_string_literal: true

module Mohs
  module Tune
    # The time of a tuning: what it took so far, and what fits in the rest. In seconds. Pure.
    class Budget
      # Searches of so many `settings` on so many `boots` each, `search_s` for each search,
      # without its boot: negative if there is no time.
      Searches = Struct.new(:settings, :boots, :search_s, keyword_init: true) { include Value }

      # Seconds of a search with its boot that are not exceeded, unless the limit needs more: more
      # boots show more than longer searches, and others may be waiting for their turn.
      LONGEST_S = 60

      SLACK = 1.05

      # Before there are more boots than BOOTS, each search is so much longer than it needs to be.
      AMPLE = SearchTime::AMPLE

      RACE_SHARE = Rules::RACE_SHARE
      private_constant :SLACK, :AMPLE, :RACE_SHARE

      attr_reader :total_s

      #: (Numeric, ?race_cohorts: Array[Store::Cohort], ?searches: Array[Store::Cohort]) -> void
      def initialize(total_s, race_cohorts: [], searches: [])
        @total_s = total_s
        @race_cohorts = race_cohorts.select(&:done?)
        @searches = searches.select(&:done?)
      end

      #: () -> Float
      def spent_s = seconds(@race_cohorts + @searches)

      # What one server takes, without its search; 0 as long as that is unknown.
      #: () -> Float
      def trial_s
        servers = @race_cohorts.sum { |one| one.spec.variants.size }
        servers.zero? ? 0.0 : seconds(@race_cohorts) / servers
      end

      # How many settings may race for so many rounds more. ahead: how many of their servers were
      # measured already. until_s: when the race has to be over.
      #: (Integer, ?ahead: Integer, ?until_s: Numeric) -> Numeric
      def room(rounds, ahead: 0, until_s: race_s)
        return Float::INFINITY if trial_s.zero?

        servers = ([until_s - spent_s, 0].max / trial_s) + ahead
        (servers / rounds).round(6).floor
      end

      # When the race has to be over for so many settings to be searched on ROUNDS boots, as long
      # as each search needs: negative if there is no time for that. With BOOTS boots it would be
      # over before it can tell which settings are worth a search.
      #: (Integer, needed_s: Numeric) -> Float
      def searches_from_s(settings, needed_s:)
        @total_s - searches_s(settings, needed_s, boots: Result::ROUNDS)
      end

      # The most that the race takes.
      #: () -> Float
      def race_s = RACE_SHARE * @total_s

      # The searches if all of the time left is for them: on BOOTS boots; on more if searches
      # would else be longer than LONGEST_S; on fewer, but ROUNDS at least, if they would else be
      # too short. needed_s: what a search needs for the limit.
      #: (Integer, needed_s: Numeric, ?boots: Integer?) -> Tune::Budget::Searches
      def searches(settings, needed_s:, boots: nil)
        within(left_s, settings, needed_s, boots)
      end

      # The same while the race goes on, if that takes its whole share.
      #: (Integer, needed_s: Numeric) -> Tune::Budget::Searches
      def searches_after_race(settings, needed_s:)
        within([left_s, @total_s - race_s].min, settings, needed_s, nil)
      end

      # The most boots on which so many settings can be searched if each search has what it needs,
      # after so many `servers` more have raced. Rounded first, so that the budget that enough_s
      # names is enough.
      #: (Integer, needed_s: Numeric, ?servers: Integer) -> Integer
      def boots(settings, needed_s:, servers: 0)
        long_enough(left_s - (servers * trial_s), settings, needed_s)
      end

      # How many settings can be searched on BOOTS boots, or FEW on ROUNDS, with what each search
      # needs, once the race could drop one. servers: how many race before that.
      #: (needed_s: Numeric, servers: Integer) -> Integer
      def searchable(needed_s:, servers:)
        left_s = @total_s - [spent_s, servers * trial_s].max
        many, few = [Result::BOOTS, Result::ROUNDS].map { |boots| long_enough(left_s, boots, needed_s) }
        [many, few.clamp(0, Result::FEW)].max
      end

      # The budget in which so many settings can be searched so long on so many boots each, with
      # some room for servers that take longer another time: the race ends before it takes the
      # time for that, but not before its first look. servers: how many race before that look.
      #: (Integer, search_s: Numeric, servers: Integer, ?boots: Integer) -> Float
      def total_for_s(settings, search_s:, servers:, boots: Result::BOOTS)
        SLACK * ((servers * trial_s) + searches_s(settings, search_s, boots:))
      end

      # The same for this tuning, on BOOTS boots. If this budget should have been enough, it has
      # to be larger, and the race may take as long again as it took now.
      #: (Integer, search_s: Numeric, servers: Integer) -> Float
      def enough_s(settings, search_s:, servers:)
        enough_s = total_for_s(settings, search_s:, servers:)
        return enough_s if enough_s > @total_s

        [seconds(@race_cohorts) + searches_s(settings, search_s), SLACK * @total_s].max
      end

      # The budget of a tuning of FEW settings alone in which each is searched on so many boots.
      # search_s: what a search needs.
      #: (boots: Integer, search_s: Numeric) -> Float
      def for_two_s(boots:, search_s:)
        search_s = [AMPLE * search_s, LONGEST_S - trial_s].max
        total_for_s(Result::FEW, search_s:, servers: Result::LOOK * Result::FEW, boots:)
      end

      private

      def searches_s(settings, search_s, boots: Result::BOOTS)
        boots * settings * (trial_s + search_s)
      end

      def within(left_s, settings, needed_s, boots)
        most, many = [1, AMPLE].map { |room| long_enough(left_s, settings, room * needed_s) }
        more = [(left_s / (settings * LONGEST_S)).ceil, many].min
        boots ||= [[most, Result::BOOTS].min, more, Result::ROUNDS].max
        Searches.new(settings:, boots:, search_s: (left_s / (boots * settings)) - trial_s)
      end

      # How often so many searches fit, each with what it needs.
      def long_enough(left_s, count, needed_s)
        (left_s / (count * (trial_s + needed_s))).round(6).floor
      end

      def left_s = @total_s - spent_s

      def seconds(cohorts) = cohorts.sum(0.0, &:seconds)
    end
  end
end
