# frozen_string_literal: true

module Mohs
  module Tune
    # What a tuning does next: another round of its race, or its searches, of which settings, and
    # for how long. Pure.
    class Schedule
      # What is searched, how often, and for how long on each server.
      Searches = Struct.new(:names, :rounds, :search_s, keyword_init: true) do
        include Value
      end

      # Settings whose rates with all threads busy differ by no more than this share may serve as
      # much within a limit: more threads serve more while all are busy, but the requests of fewer
      # threads respond sooner. Of four applications (benchmark/tune/live.ndjson), the two
      # settings that served the most within a limit were up to 7 % below the best with all
      # threads busy.
      BUSY_MARGIN = 0.1

      # The same before the race's first look: rates of single boots may differ by so much more by
      # chance, all the more the highest of many, and a setting that is cut now never returns.
      EARLY_MARGIN = 0.25

      # Within a limit a setting rarely serves more than this share of its rate with all threads
      # busy, since queues grow without bound towards that rate.
      USABLE = 0.8
      private_constant :BUSY_MARGIN, :EARLY_MARGIN, :USABLE

      # race_cohorts, searches: cohorts of the race, and those that search; also planned ones.
      #: (Result, race_cohorts: Array[Store::Cohort], searches: Array[Store::Cohort], choice: Tune::Choice, budget: Tune::Budget) -> void
      def initialize(tuning, race_cohorts:, searches:, choice:, budget:)
        @tuning = tuning
        @race_cohorts = race_cohorts
        @searches = searches
        @choice = choice
        @budget = budget
      end

      # What to do once everything planned is done: :race (another round), :search or :nothing.
      #: () -> Symbol
      def next
        return :nothing if @searches.any? || race.state == :nobody
        return :race if race.state == :continue && racers.size > 1

        searches ? :search : :nothing
      end

      # Names of the settings for the next round of the race. None if all that are left can be
      # searched, for as long as the limit needs, once the race could drop one, or if it has no
      # time for all of them; nor if another round would leave time for fewer such searches. Else
      # all that are left, if the rounds up to the next look fit in the race's share of the
      # budget, or as many of the best as fit, the present one among them.
      #: () -> Array[String]
      def racers = @racers ||= next_racers

      # Is there time to search all settings that are left, for as long as the limit needs? Where
      # a rate is wanted: all candidates, which may include dropped ones.
      #: () -> bool
      def all_searchable?
        names = finalists(Result::FINALISTS)
        complete?(names) && long_enough?(names)
      end

      # Why the race ended: Stats::Race#state; :searched (by all_searchable?, so that nothing
      # depended on it any more); :budget. nil while it goes on.
      #: () -> Symbol?
      def race_ended
        return race.state unless race.state == :continue
        return (:budget if over_without_searches?) if @searches.empty?
        return :budget if race.out.value?(Race::CUT)

        names = @searches.flat_map { |cohort| cohort.spec.variants }.uniq
        before = Budget.new(@budget.total_s, race_cohorts: @race_cohorts)
        complete?(names) && long_enough?(names, before) ? :searched : :budget
      end

      # Is the run over, since there was no time for any search?
      #: () -> bool
      def over_without_searches?
        @searches.empty? && @tuning.finished? && race.rounds.positive? &&
          race.state != :nobody && self.next == :nothing
      end

      # The setting that all cohorts of the next round of the race have in common.
      #: () -> String
      def common = ([present, race.leader] & racers).first || racers.first

      # The searches that fit in the rest of the budget: of the best settings left and of the
      # present one, on BOOTS boots each, or on more if a cohort would otherwise take too long for
      # others who wait for the machine. Of fewer settings, but at least two, if each search can
      # be as long as the limit needs only then: searches that are too short find rates that are
      # too high, and few boots tell nothing apart. Two may have fewer boots, ROUNDS at least. If
      # there is no time for that, the rates of the race say more (ModelledRates): then single
      # searches check these, if there is time for any; nil if not.
      #: () -> Tune::Schedule::Searches?
      def searches
        count = decisive_count or return checks
        searching(finalists(count))
      end

      # The rates with all threads busy of the settings that will probably be searched.
      #: () -> Array[Float]
      def likely_rates
        busy = race.names.to_h { |name| [name, rates.typical(name) || race.busy(name)&.value] }
                   .compact
        names = race.leader ? finalists(Result::FINALISTS) : busy.keys.max_by(Result::FINALISTS) { busy[_1] }
        busy.values_at(*names, present).compact.uniq
      end

      # What a search of these needs for the limit, in seconds; nil if no rate is known.
      #: () -> Numeric?
      def likely_needed_s
        busy = likely_rates
        SearchTime.needed_s(@tuning.limit, busy) if busy.any?
      end

      private

      def next_racers
        room = most_racers
        fit = room >= race.alive.size
        return [] if (race.rounds >= Result::LOOK || !fit) && all_searchable?

        names = fit ? race.alive : shortlist(room)
        race.rounds >= Result::LOOK && costs_searches?(names) ? [] : names
      end

      # How many settings may race until the next look, within the race's share of the budget.
      # Before the first look no more than leave time for the searches, but at least as many as
      # are searched: of a slow application, settings that are far behind after their first round
      # would cost the searches of better ones.
      def most_racers
        rounds = [Result::LOOK - race.rounds, 1].max
        share = @budget.room(rounds, ahead: rates.ahead)
        return share if likely_needed_s.nil?
        return most_without_searches(rounds, share) unless time_for_few?
        return share if race.rounds >= Result::LOOK

        [share, most_beside_searches(rounds)].min
      end

      # Is there time to search FEW settings as long as the limit needs?
      def time_for_few? = @budget.boots(Result::FEW, needed_s: likely_needed_s) >= Result::ROUNDS

      # Without time for searches that count, as many as would be searched go on even if they take
      # more than the race's share: the more rounds, the better known are the rates that the
      # answer follows from. The time for a search that checks it, of the fastest, is left, unless
      # that would take more than the race's share.
      def most_without_searches(rounds, share)
        check_s = @budget.trial_s + needed_s([*race.leader])
        until_s = @budget.total_s - (check_s > @budget.race_s ? 0 : check_s)
        more = @budget.room(rounds, ahead: rates.ahead, until_s:)
        return more if race.rounds >= Result::LOOK

        [share, [more, Result.most_searched(race.names.size)].min].max
      end

      # No limit if there will be no time to search FEW settings as long as the limit needs,
      # however few race.
      def most_beside_searches(rounds)
        most = Result.most_searched(race.names.size)
        needed_s = likely_needed_s
        return Float::INFINITY if
          @budget.boots(Result::FEW, needed_s:, servers: rounds * most) < Result::ROUNDS

        until_s = @budget.searches_from_s(most, needed_s:)
        [@budget.room(rounds, ahead: rates.ahead, until_s:), most].max
      end

      # So many of the best, the present setting among them; none if fewer than two fit.
      def shortlist(room)
        return [] if room < 2

        names = promising
        race.alive & [*names.first(room - 1), *([present] & race.alive), *names].uniq.first(room)
      end

      def race = @tuning.race

      def rates = race.rates

      def rules = @tuning.rules

      def present = @tuning.present

      # Are these all that should be searched? That is, all that are left; where a rate is wanted,
      # enough of the leader and those that should serve it.
      def complete?(names)
        wanted_per_s = rules.wanted_per_s or return (race.alive - names).empty?

        able = race.names.select { |name| rates.typical(name).to_f >= wanted_per_s }
        able = (able | [race.leader]) - race.unfit
        (able & names).size >= [Result::FINALISTS, able.size].min
      end

      # Is there time for searches of these that are as long as the limit needs? boots: of each,
      # at least. servers: how many race before that. time: the budget, or what it was when the
      # searches were planned.
      def long_enough?(names, time = @budget, boots: Result::BOOTS, servers: 0)
        time.boots(names.size, needed_s: needed_s(names), servers:) >= boots
      end

      # For how many of the best there is time for such searches, with another one to compare; nil
      # if for none.
      def decisive_count(servers: 0)
        counts = Result::FINALISTS.downto(rules.wanted_per_s ? 2 : 1).select do |count|
          finalists(count).size > 1 || race.alive.one?
        end
        counts.find { |count| long_enough?(finalists(count), servers:) } ||
          counts.last(1).find { |few| long_enough?(finalists(few), boots: Result::ROUNDS, servers:) }
      end

      # Would another round of the race, of these, leave time for fewer settings, or for fewer
      # boots of the fewest?
      def costs_searches?(names)
        now, later = [0, names.size].map { |servers| decisive(servers) }
        now.any? && (later <=> now).negative?
      end

      # [settings, boots of each]; empty if there is no time.
      def decisive(servers)
        count = decisive_count(servers:) or return []
        names = finalists(count)
        [count, [@budget.boots(names.size, needed_s: needed_s(names), servers:), Result::BOOTS].min]
      end

      # Of the setting with the highest rate by the model and of the present one, or of the first
      # alone, on one boot, and no longer than that needs.
      def checks
        first = race.alive.max_by { |name| @tuning.model.rate(name)&.value.to_f }
        names = [[first, present].uniq - race.out_for(Race::FAILED), [first]].find do |some|
          some.any? && long_enough?(some, boots: 1)
        end
        return unless names

        planned = searching(names, 1)
        longest_s = [SearchTime::AMPLE * needed_s(names), planned.search_s].min
        Searches.new(**planned.to_h, search_s: longest_s)
      end

      # boots: of each; nil for as many as fit.
      def searching(names, boots = nil)
        planned = @budget.searches(names.size, needed_s: needed_s(names), boots:)
        Searches.new(names:, rounds: planned.boots, search_s: planned.search_s)
      end

      def needed_s(names)
        SearchTime.needed_s(@tuning.limit, names.filter_map { |name| rates.typical(name) })
      end

      def finalists(count) = best.first(count) | ([present] - race.out_for(Race::FAILED))

      def best = @best ||= rules.wanted_per_s ? sufficient : promising

      # The leader, which shows whether the wanted rate can be served at all; then the cheapest of
      # the settings that should serve it, even if the race has dropped them; then those that
      # barely do.
      def sufficient
        raced = race.before_searches
        busy = raced.to_h { |one| [one.name, rates.typical(one.name)] }
                    .except(*race.unfit)
        able = raced.select { |one| busy[one.name].to_f >= rules.wanted_per_s }
        roomy, tight = able.partition { |one| USABLE * busy[one.name] >= rules.wanted_per_s }
        [race.leader, *@choice.cheapest_first(roomy).map(&:name),
         *tight.map(&:name).sort_by { |name| -busy[name] }].uniq
      end

      # The settings left in the race, the most promising first. Of those within the margin of the
      # highest lead, the one that works on the fewest requests at a time: these compete with
      # the fewest others, and so respond sooner. Then the one with the highest lead, the others
      # within the margin in the same order, and the rest by their lead.
      def promising
        leads = race.alive.to_h { |name| [name, rates.lead(race.leader, name)] }
        first, best = leads.max_by(&:last)
        margin = race.rounds < Result::LOOK ? EARLY_MARGIN : BUSY_MARGIN
        near = leads.select { |_, lead| lead >= best + Math.log(1 - margin) }.keys
        small = near.sort_by { |name| [@tuning.shapes.slots(name), -leads[name]] }
        [*small.first, *first, *small, *leads.keys.sort_by { |name| -leads[name] }].uniq
      end
    end
  end
end
