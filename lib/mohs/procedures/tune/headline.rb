# frozen_string_literal: true

module Mohs
  module Tune
    # The answer of a tuning, so far.
    class Headline < Report::Headline
      # The wanted rate, as typed; nil if none is.
      #: (Hash[Symbol, untyped]) -> String?
      def self.wanted(document)
        rate = document[:wanted_per_s] or return
        rate == rate.round ? Report::Numbers.whole(rate) : rate.to_s
      end

      # Is it certain that no setting that was searched serves the wanted rate? False if none is.
      #: (Hash[Symbol, untyped]) -> bool
      def self.insufficient?(document)
        known = document[:settings].select { |one| one[:rate_per_s] && one[:fits] }
        !document[:wanted_per_s].nil? && known.all? { |one| one[:enough] == false }
      end

      #: () -> String
      def to_s
        return opened if @document[:opening]
        return unraced if race[:rounds].zero? || race[:leader].nil?

        pick ? recommended : unsearched
      end

      # Variants whose reason the sentence gives.
      #: () -> Array[String]
      def covered = []

      private

      def race = @document[:race]

      def pick = @document[:recommendation]

      def setting(name) = @document[:settings].find { |one| one[:name] == name }

      # "yours (1x5)".
      def named(name)
        shape = Document.unnamed_shape(setting(name))
        shape ? "#{name} (#{shape})" : name
      end

      # The answer after the few settings that are measured before all others.
      def opened
        opening = @document[:opening]
        follow = Report::Numbers.counted(opening[:follow], "setting")
        say("tune_opening", **busy(opening[:leader]), follow:,
                            gain_clause: opening[:gain] ? compared(opening) : "")
      end

      # Its rate with all threads busy: with the interval over boots, or over the first ones.
      def busy(leader)
        one = setting(leader)
        rate, (low, high) = one.values_at(:busy_per_s, :busy_on_boots_per_s)
        boots = say("tune_on_boots", boots: one[:boots]) if low
        { leader: named(leader), rate: Report::Numbers.figure(rate[:value]),
          bracket: "#{bracket(low ? { low:, high: } : rate)}#{boots}" }
      end

      # Nothing was raced yet, or nothing can be; the reason is printed below.
      def unraced
        return too_large if race[:ended] == "nobody" && large.any?

        ended = race[:ended] == "nobody" || @document[:state] == "finished"
        return say("nothing_yet") unless ended

        untried = @document[:settings].any? { |one| one[:state] == "waiting" }
        say(untried ? "tune_nobody_else" : "tune_nobody")
      end

      def large = @document[:settings].select { |one| one[:state] == "too_large" }

      def too_large
        least = large.min_by { |one| one.dig(:memory_bytes, :value) || Float::INFINITY }
        bytes = least.dig(:memory_bytes, :value) or return say("tune_memory_unknown")

        say("tune_all_too_large", name: named(least[:name]), megabytes: bytes / Report::Numbers::MEGABYTE)
      end

      def unsearched
        searched = @document[:settings].select { |one| one[:rate_per_s] }
        return say("tune_none_fits") if searched.any? { |one| one[:rate_per_s][:value].positive? }
        return say("tune_none", limit: @document[:limit][:text]) if searched.any?
        return say("tune_no_rate") if fruitless?

        say("tune_racing", **busy(race[:leader]), left: race[:left].size,
                           of: @document[:settings].size,
                           rounds: Report::Numbers.counted(race[:rounds], "round"))
      end

      # Whether a raced setting was searched but gave no rate.
      def fruitless?
        @document[:settings].any? { |one| one[:state] == "raced" && one[:reason] }
      end

      def recommended
        clauses = { gain_clause: gain, memory_clause: memory(pick[:memory_difference_bytes]) }
        return say("tune_so_far", **serves, **clauses, boots: pick[:boots_so_far]) if
          pick[:boots_so_far]
        return for_rate if @document[:wanted_per_s]
        return say(pick[:sure] ? "tune_keep" : "tune_keep_unsure",
                   **serves, few_boots: pick[:few_boots]) if own?
        return say("tune_use", **serves, **clauses) if pick[:sure]

        say("tune_use_unsure", **serves, **clauses, few_boots: pick[:few_boots], race_clause:,
                               keep: (named(@document[:present]) if pick[:keep_present]))
      end

      # What the race has decided about the setting and the present one, even if searches have
      # not: no setting holds a limit above the rate that it has with all threads busy.
      def race_clause
        won, present = [pick[:name], @document[:present]].map { |name| row(name) }
        return "" unless won&.dig(:verdict, :outcome) == "faster" && present&.fetch(:baseline)

        change = Report::Change.new(won[:verdict])
        say("tune_raced", name: named(pick[:name]), change: than_present(change),
                          interval: change.interval, present: named(@document[:present]),
                          rate: Report::Numbers.figure(present.dig(:throughput_per_s, :high)))
      end

      def row(name) = @document[:rows].find { |row| row[:variant] == name }

      def own? = pick[:name] == @document[:present]

      # The answer if a rate is wanted: whether that rate is served.
      def for_rate
        return enough if setting(pick[:name])[:enough]
        return likely if setting(pick[:name])[:seems_enough]

        never = self.class.insufficient?(@document)
        say(never ? "tune_not_enough" : "tune_enough_unsure", **serves, wanted:)
      end

      # The cheapest of those that would be enough if their searches could be relied on.
      def likely
        found = setting(pick[:name])
        say("tune_likely", **serves, wanted:, boots: found[:searched], short: found[:short])
      end

      def enough
        return say("tune_keep_enough", **serves, wanted:) if own?

        say("tune_enough", **serves, wanted:, present_clause:)
      end

      def wanted = self.class.wanted(@document)

      # Whether the present setting serves the wanted rate, too.
      def present_clause
        one = setting(@document[:present])
        return "" unless one[:rate_per_s]

        code = { true => "tune_present_enough", false => "tune_present_less",
                 nil => "tune_present_unsure" }.fetch(one[:enough])
        difference = pick[:memory_difference_bytes]
        say(code, present: named(one[:name]), memory_clause: memory(difference && -difference))
      end

      def serves
        rate = setting(pick[:name])[:rate_per_s]
        { name: named(pick[:name]), limit: @document[:limit][:text],
          rate: Bounds.at_least(rate[:value], setting(pick[:name])[:at_least]),
          bracket: "#{bracket(rate)}#{say('tune_modelled_rate') if @document[:model]}",
          margin: @document[:limit][:margin],
          others: }
      end

      def others
        seen = @document[:model] ? "was left in the race" : "was searched"
        some_too_large? ? "#{seen} and fits into the memory" : seen
      end

      # Whether a searched setting needs more memory than it may.
      def some_too_large? = @document[:settings].any? { |one| one[:rate_per_s] && !one[:fits] }

      def bracket(rate) = [nil, *Report::Numbers.ends(rate)].join(" ")

      def gain
        return beside_present unless pick[:gain]

        setting(pick[:name])[:at_least] ? least_gain : compared(pick)
      end

      # found: a ratio to the present setting, with its interval.
      def compared(found)
        effect, interval = found.values_at(:gain, :interval)
        change = Report::Change.new({ effect:, interval: })
        say(change.sure? ? "tune_gain" : "tune_gain_unsure",
            change: than_present(change),
            interval: [nil, *(change.interval if interval)].join(" "))
      end

      # The gain if the rate is only a bound.
      def least_gain
        change = Report::Change.least(pick[:interval])
        return say("tune_gain_open", present: named(@document[:present])) unless change

        say(pick[:boots_so_far] ? "tune_gain_least_so_far" : "tune_gain_least",
            change: than_present(change))
      end

      def than_present(change)
        present = named(@document[:present])
        return "#{change.amount} what #{present} serves" if change.times?

        "#{change.directed('more', 'less')} than #{present}"
      end

      # Where the ratio to the present setting is unknown: why; "" if that one has no rate.
      def beside_present
        present = setting(@document[:present])
        return "" if own? || present[:rate_per_s].nil?

        value, name = present[:rate_per_s][:value], named(present[:name])
        return say("tune_gain_none", present: name) if value.zero?
        return say("tune_gain_unknown", present: name) unless present[:at_least]

        say("tune_gain_of_bound", present: name, rate: Report::Numbers.figure(value))
      end

      # bytes: what one setting takes more than another; nil if unknown.
      def memory(bytes)
        return "" if bytes.nil? || bytes.abs < Analysis::Run::LEAST_MEMORY_BYTES

        say("for_memory", megabytes: bytes.abs / Report::Numbers::MEGABYTE,
                          direction: bytes.positive? ? "more" : "less")
      end
    end
  end
end
