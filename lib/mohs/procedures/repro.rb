# frozen_string_literal: true

module Mohs
  # Published studies, reproduced. Each is a folder with the study.yml that measures it and the
  # published.yml with what its source printed and claimed (docs/published.md). Library finds them,
  # File reads one, Selection decides what of it can be measured here, Judge compares its claims
  # with a run.
  module Repro
    # One study, read from its folder. `name` is the folder's; `file` its study.yml; `declaration`
    # the content of that file (Study::Builder); `levels` { name => Study::Notation } of its
    # variants, by the names that claims use; `sizes` { "quick" => { rounds:, budget_s:, warm_up_s:,
    # cold_start:, served: } } overrides, `served` being the members of a Study::Notation that name
    # a server for all variants; `instead` { interpreter => [interpreter] } nearest versions, the
    # best first; `unnamed` the interpreters of study.yml that the source does not name; `here`
    # { "app", "application" or "load" => text }, what is measured here in place of the source's
    # `environment`, "app" being the name of the application; `counted`, what the source counts, by
    # its unit a second, and how many of these a request is: { unit:, each: } (nil: requests);
    # `figures` and `claims` as in the source.
    class Publication < Struct.new(:name, :file, :title, :source, :environment, :here, :counted,
                                   :sizes, :instead, :unnamed, :figures, :claims, :levels,
                                   :declaration, keyword_init: true)
      include Value

      # What changes with its files, as they are now.
      #: () -> Hash[String, Time]
      def version = File.version(::File.dirname(file))

      # The claim as published.yml has it now; nil if it has none with this id.
      #: (String) -> Repro::Claim?
      def claim(id) = claims.find { |claim| claim.id == id }
    end

    # Where the study was published: `address` as the source gives it, nil if it gives none.
    class Source < Struct.new(:authors, :year, :title, :address, keyword_init: true)
      include Value

      # A. Author 2023
      #: () -> String
      def to_s = [authors.first, *("and others" if authors.size > 1), year].join(" ")
    end

    # One number of the source: what it measures (`level`, `metric`), and the place where it was
    # printed.
    class Figure < Struct.new(:id, :place, :value, :unit, :level, :metric, keyword_init: true)
      include Value
    end

    # One claim of the source: `id` by which runs and documents know it, whatever its wording
    # becomes; `place` where it is made, `table` the group that it belongs to there,
    # `cores` that a test needs (nil: any), `source_cores` that the source had, if they may be why
    # fewer give another result, `instead` the claim's own nearest versions, `figures` those that
    # its published ratio is of, `ours` whether the source gives no number, so that the limits are
    # ours.
    class Claim < Struct.new(:id, :text, :place, :table, :headline, :cores, :source_cores, :instead,
                             :figures, :ours, :statement, keyword_init: true)
      include Value

      # hash: the result of #stored, as parsed JSON with symbol keys.
      #: (Hash[Symbol, untyped]) -> Repro::Claim
      def self.from_h(hash) = new(**hash, statement: Statement.from_h(hash[:statement]))

      # What the claim is judged by, as plain data: stored with each run.
      #: () -> Hash[Symbol, untyped]
      def stored = { id:, text:, place:, table:, headline:, statement: statement.to_h.compact }

      # Does the other claim say the same, as strictly?
      #: (Repro::Claim) -> bool
      def same?(other) = headline == other.headline && statement == other.statement
    end

    # The testable content of a claim: the ratio of a metric of `of` to that of each of `to` (names
    # of levels) lies between `low` and `high` (nil: no limit). `over`: the metric is the time that
    # a request takes beyond these levels, one for `of` and one for each of `to`. `since`: the
    # metric is its ratio to the value of these levels, paired in the same way (nil: the metric of
    # the levels alone). `published` is the source's ratio (nil: it gives none); `direction`
    # is :more or :less if the claim is a difference of about that size, so that its sign alone
    # means something. `categories` of a profile, one for `of` and one for each of `to`: the metric
    # is their share of the level's CPU time (nil: it is another metric); the kind "share" only has
    # `of`, and its range is one of shares. `kind` is one of Statements::KINDS. A not_testable
    # statement only has the `reason`. A warm statement has as `high` the number of batches within
    # which each level of `to` is warm. An excluded statement has its level in `of`. Statements that
    # variants survive or crash only have `to`; if they survive, `high` is the highest chance of a
    # crash. A compiled statement has the level in `of`, the `routine`, a method as the JIT names it
    # (nil: any), and the number of its versions in `low` and `high`.
    class Statement < Struct.new(:kind, :of, :to, :over, :since, :metric, :categories, :published,
                                 :low, :high, :direction, :reason, :routine, keyword_init: true)
      include Value

      SURVIVAL = %w[survives crashes].freeze

      # hash: parsed JSON with symbol keys.
      #: (Hash[Symbol, untyped]) -> Repro::Statement
      def self.from_h(hash) = new(**hash, direction: hash[:direction]&.to_sym)

      #: () -> Array[String]
      def levels = [*of, *to, *over, *since].uniq

      # Its levels in pairs with the levels that they are over or since: first `of`, then each of
      # `to`; empty without an overhead or a gain.
      #: () -> Array[[String, String]]
      def pairs = over || since ? [of, *to].zip(over || since) : []

      # For shares, its levels in pairs with their categories: first `of`, then each of `to`.
      #: () -> Array[[String, String]]
      def parts = categories ? [of, *to].zip(categories) : []

      # Is it about servers that crash, rather than about a ratio?
      #: () -> bool
      def survival? = SURVIVAL.include?(kind)

      #: () -> bool
      def testable? = kind != "not_testable"

      # Is it about a metric that only the batches of a cold start have?
      #: () -> bool
      def batches? = Metrics::BATCHES.any? { |one| one.name == metric }

      # Is it about ratios or a share, so that it is tested by a p-value?
      #: () -> bool
      def compared? = kind == "warm" || (testable? && !survival? && !cold?)

      # Does it say that there is no large difference?
      #: () -> bool?
      def around_one? = low&.<=(1) && high&.>=(1)

      # Half of the least size that counts as published, on the scale of logarithms; only with a
      # direction.
      #: () -> Float
      def half_way = Math.sqrt(direction == :more ? low : high)

      # Is all of an interval nearer to no difference than to the least size that counts as
      # published? An interval that only excludes that size may be of a smaller difference in the
      # claimed direction, whether it is wide enough to contain 1 or not. Only with a direction.
      #: (Float, Float) -> bool
      def much_smaller?(lowest, highest)
        direction == :more ? highest < half_way : lowest > half_way
      end

      # Is it about batches from a cold start?
      #: () -> bool
      def cold? = Statements::COLD.include?(kind)
    end

    # How one `claim`, an id, can be tested here: `levels`, a LevelMapping for each level of its
    # statement, or `obstacle`, the Finding that keeps it from being tested. Stored with the run
    # (to_h, from_h), so that the claim is judged by what was chosen when the run was measured.
    # `cores`, if there are fewer than the claim may depend on: how many the source had, and how
    # many there are here.
    class Test < Struct.new(:claim, :levels, :obstacle, :cores, keyword_init: true)
      include Value

      # Findings that bind a contradiction to what was measured in place of what was published.
      CORES_ONLY = "repro_cores_only"
      ONLY = ["repro_stand_in_only", "repro_unnamed_only", CORES_ONLY].freeze

      # hash: parsed JSON with symbol keys.
      #: (Hash[Symbol, untyped]) -> Repro::Test
      def self.from_h(hash)
        obstacle = hash[:obstacle] && Analysis::Finding.note(hash[:obstacle][:code],
                                                             **hash[:obstacle][:values])
        levels = hash[:levels].map { |one| LevelMapping.new(**one) }
        new(claim: hash[:claim], levels:, obstacle:, cores: hash[:cores])
      end

      #: () -> Hash[Symbol, untyped]
      def to_h
        { claim:, levels: levels.map(&:to_h), obstacle: obstacle&.to_h&.slice(:code, :values),
          **{ cores: }.compact }
      end

      # The variant of the run that stands for a level.
      #: (String) -> String
      def variant(level) = levels.find { |one| one.level == level }.variant

      # The variants of the run that stand for several levels.
      #: (Array[String]) -> Array[String]
      def variants(levels) = levels.map { |level| variant(level) }

      # The levels for which another version stands in.
      #: () -> Array[Repro::LevelMapping]
      def stand_ins = levels.select { |one| one.used && !one.unnamed }

      # The outcome as far as what was used allows, and findings on it: one for each stand-in
      # version, those of versions that the source does not name, that of fewer cores. A stand-in
      # agrees in part at most. What contradicts a claim does so only for what was used.
      # shown_by: the variants that contradict the claim; stand-ins for other levels have no part in
      # the contradiction.
      #: (String, shown_by: Array[String]) -> [String, Array[Analysis::Finding]]
      def weigh(outcome, shown_by:)
        found = stand_ins.group_by(&:versions).map do |(used, asked), all|
          only = outcome == Judge::CONTRADICTED &&
                 all.any? { |one| shown_by.include?(one.variant) }
          note(only ? "repro_stand_in_only" : "repro_stand_in",
               used:, asked:, **all.first.to_h.slice(:used_ruby, :asked_ruby))
        end
        weighed = outcome == Judge::AGREES && found.any? ? Judge::DIRECTION : outcome
        [weighed, [*found, *unnamed(outcome, shown_by), *fewer_cores(outcome)]]
      end

      private

      def unnamed(outcome, shown_by)
        return [] unless outcome == Judge::CONTRADICTED

        shown = levels.select { |one| one.unnamed && shown_by.include?(one.variant) }
        shown.any? ? [note("repro_unnamed_only", used: shown.map(&:unnamed).uniq)] : []
      end

      def fewer_cores(outcome)
        return [] if cores.nil? || [Judge::AGREES, Judge::UNDECIDED].include?(outcome)

        there, here = cores
        [note(outcome == Judge::CONTRADICTED ? "repro_cores_only" : "repro_fewer_cores",
              there:, here:)]
      end

      def note(code, **values) = Analysis::Finding.note(code, **values)
    end

    # What stands for a `level`: the name of a `variant` of the run; `used`, the interpreter that
    # stands in for the one `asked` for (nil: no stand-in); `unnamed`, the interpreter if the source
    # does not name its own (nil: it does). Both interpreters as values: `asked_ruby` and
    # `used_ruby`, a name or a path; `asked_flags` and `used_flags`.
    class LevelMapping < Struct.new(:level, :variant, :asked, :used, :unnamed, :asked_ruby,
                                    :asked_flags, :used_ruby, :used_flags, keyword_init: true)
      include Value

      # The version used and the version asked for, without flags that both have.
      #: () -> [String, String]
      def versions
        used_ruby && used_flags == asked_flags ? [used_ruby, asked_ruby] : [used, asked]
      end
    end

    # The part of a publication that is measured here: `tests`, one for each claim; the `variants`
    # that these need, as in a declaration; the name of its `baseline`, nil if that is not among
    # them.
    class Choice < Struct.new(:publication, :tests, :variants, :baseline, keyword_init: true)
      include Value

      #: () -> Array[Repro::Test]
      def testable = tests.reject(&:obstacle)

      # Those that can be tested in a study of its variants, some of which may be refused.
      #: (Study) -> Array[Repro::Test]
      def testable_in(study)
        testable.reject { |test| test.levels.any? { |one| study.variant(one.variant)&.refusal } }
      end
    end

    # The result for one claim: `outcome`, one of Judge::OUTCOMES; `interval`, the measured ratio
    # with its ends (nil: not measured); `p`, the chance of this result if the claim's opposite were
    # true, and the same `adjusted` for all claims of the study; `findings`, the reasons, the first
    # one first; `levels`, what stood for its levels.
    class Judgement < Struct.new(:claim, :outcome, :interval, :p, :adjusted, :findings, :levels,
                                 keyword_init: true)
      include Value

      # The codes of the findings that bind its contradiction to what was measured in place of what
      # the source had.
      #: () -> Array[String]
      def only = findings.map(&:code) & Test::ONLY

      # The variants whose overhead the claim is about, each with the variant that it is over; empty
      # if the claim is about no overhead, or could not be tested.
      #: () -> Array[[String, String]]
      def overheads
        return [] unless claim.statement.over

        names = levels.to_h { |one| [one.level, one.variant] }
        claim.statement.pairs.map { |pair| pair.map { |level| names[level] } }.select(&:all?)
      end
    end
  end
end
