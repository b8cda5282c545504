# frozen_string_literal: true

module Mohs
  module Stats
    # The best of several settings with few boots: rounds of fresh boots, each of all settings that
    # are left; after each round the settings that are worse than the leader are dropped, until one
    # is left, or all that are left are equal. A function of the rounds so far, so an interrupted
    # race is resumed by adding them again.
    #
    # The chance that any setting that is not worse than its leader is ever dropped is at most
    # ALPHA: each pair of settings has an equal share of it, whichever of them leads (Bonferroni),
    # over all looks together (Sequential::Levels). So the best setting is dropped no more often,
    # and dropped settings are known to be worse. The levels are those of a t test with a pair's own
    # differences; a common spread of all settings (Contrasts) has more degrees of freedom, so its
    # looks have more in common.
    #
    # Settings are called equal by tests of equivalence: each one left has to be shown to be within
    # the margin of the leader. All of them have to pass, so each is tested at EQUAL_ALPHA
    # (intersection-union; Berger, Technometrics 24, 1982).
    class Race
      ALPHA = 0.02
      EQUAL_ALPHA = 0.05

      # Numbers of rounds: after each round from the third on.
      LOOKS = Sequential::Levels::EACH

      # A setting that was worse than the `leader` of this look, after `round` rounds. interval: by
      # how much the leader is better, a logarithm.
      Drop = Struct.new(:name, :round, :leader, :interval, keyword_init: true) { include Value }

      # All settings, in the given order, and those that are still measured.
      attr_reader :names, :alive

      # The best setting so far; nil before the first round, and if none is left.
      attr_reader :leader

      # { name => Drop } for dropped settings; { name => reason } for settings that can't be
      # measured.
      attr_reader :dropped, :out

      # :continue; :single (one is left), :equal (all that are left), :exhausted (that was the last
      # look), :nobody (none is left: no setting can be measured).
      attr_reader :state

      # better: whether :more or :less of what is measured is better. margin: the difference that
      # matters (0.01 = 1 %).
      #: (Array[String | Integer], better: Symbol, margin: Float, ?levels: untyped) -> void
      def initialize(names, better:, margin:, levels: Sequential::Levels)
        @names = @alive = names
        @sign = { more: 1, less: -1 }.fetch(better)
        @margin = margin
        pairs = [names.combination(2).size, 1].max
        @alphas = { differs: levels.two_sided(ALPHA / pairs, LOOKS),
                    equal: 2 * levels.one_sided(EQUAL_ALPHA, LOOKS) }
        @rounds, @looks, @dropped, @out = [], [], {}, {}
        @state = :continue
      end

      # Adds a round: { name => logarithm } for the settings that are still measured, all side by
      # side; out: { name => reason } for those of them without a value. These are out, whatever
      # they showed before. again: names of those whose value chance has spoiled: they stay, and are
      # judged by their other rounds. Returns the state.
      #: (Hash[String | Integer, Float], ?out: Hash[String | Integer, untyped], ?again: Array[String | Integer]) -> Symbol
      def add(values, out: {}, again: [])
        verify(values, [*out.keys, *again])
        leave(out)
        @rounds << values.transform_values { |value| @sign * value } if values.any?
        @state = judge
      end

      #: () -> Integer
      def rounds = @rounds.size

      # By how much `other` is better than `one`, a logarithm, at the last look that had both: the
      # intervals of all pairs at all looks hold together with a probability of 1 - ALPHA. nil
      # before the first look.
      #: (String | Integer, String | Integer) -> Stats::Interval?
      def lead(one, other) = look(one, other)&.interval(one, other)

      private

      def verify(values, others)
        raise ArgumentError, "the race is over: #{state}" unless state == :continue

        given = values.keys + others
        raise ArgumentError, "a round of #{given} where #{alive} are left" \
          unless given.size == alive.size && (alive - given).empty?
        raise ArgumentError, "not a number: #{values}" unless values.each_value.all?(&:finite?)
      end

      # A setting that was dropped because of one that is now out may be the best of the others: it
      # returns, and is judged again by the rounds that it has.
      def leave(out)
        @out = { **@out, **out }
        returned = @dropped.each_value.select { |drop| out.key?(drop.leader) }.map(&:name)
        @dropped = @dropped.except(*returned)
        @alive = @names & ((@alive + returned) - out.keys)
      end

      def judge
        @leader = best
        return @alive.empty? ? :nobody : :continue unless @leader
        return outcome if rounds < LOOKS.first

        @looks << Look.new(@rounds, names: @alive, leader: @leader, alphas: @alphas)
        drop(@looks.last)
        outcome(@looks.last)
      end

      # The best setting by the rounds that it shares with the setting that has most rounds:
      # settings that returned lack some. nil if none has a value.
      def best
        origin = @alive.max_by { |name| @rounds.count { |round| round.key?(name) } }
        leads = @alive.to_h { |name| [name, lead_over(origin, name)] }.compact
        leads.max_by(&:last)&.first
      end

      # nil if they share no round.
      def lead_over(origin, name)
        both = @rounds.select { |round| round.key?(name) && round.key?(origin) }
        Center.mean(both.map { |round| round[name] - round[origin] }) if both.any?
      end

      def drop(look)
        worse = @alive.select { |name| name != @leader && look.better?(name, @leader) }
        lost = worse.to_h do |name|
          interval = look.interval(name, @leader)
          [name, Drop.new(name:, round: rounds, leader: @leader, interval:)]
        end
        @dropped = { **@dropped, **lost }
        @alive -= worse
      end

      def outcome(look = nil)
        return :single if @alive.one?
        return :equal if look && (@alive - [@leader]).all? { |name| look.within?(name, @margin) }

        rounds == LOOKS.last ? :exhausted : :continue
      end

      # The last look that had both.
      def look(*pair) = @looks.reverse_each.find { |look| (pair - look.names).empty? }
    end
  end
end
