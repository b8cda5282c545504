# frozen_string_literal: true

module Mohs
  # Published studies, reproduced: a folder with the study.yml that measures it and the
  # published.yml with what its source printed and claimed (docs/published.md). Library finds them,
  # File reads one, Selection says what of it can be measured here, Judge holds a run against it.
  module Repro
    # One study, read from its folder. `name` is the folder's, `file` its study.yml; `declaration`
    # of that (Study::Builder); `levels` { name => Study::Notation } of its variants, by the names
    # that claims use; `sizes` { "quick" => { rounds:, budget_s:, warm_up_s:, cold_start:, served: }
    # } overrides, `served` the members of a Study::Notation that name a server for all variants;
    # `instead` { interpreter => [interpreter] } nearest versions, the best first; `figures` and
    # `claims` as the source has them.
    class Publication < Struct.new(:name, :file, :title, :source, :environment, :sizes, :instead,
                                   :figures, :claims, :levels, :declaration, keyword_init: true)
      include Value
    end

    # Where it was published: `address` as the source gives it, nil if it gives none.
    class Source < Struct.new(:authors, :year, :title, :address, keyword_init: true)
      include Value

      # A. Author 2023
      #: () -> String
      def to_s = [authors.first, *("and others" if authors.size > 1), year].join(" ")
    end

    # One number of the source: what it is of (`level`, `metric`), and where it stands.
    class Figure < Struct.new(:id, :place, :value, :unit, :level, :metric, keyword_init: true)
      include Value
    end

    # What the source says: `place` where, `table` what it belongs to there, `cores` that a test
    # needs (nil: any), `instead` its own nearest versions.
    class Claim < Struct.new(:text, :place, :table, :headline, :cores, :instead, :statement,
                             keyword_init: true)
      include Value

      # Of `stored`, as parsed JSON with symbol keys.
      #: (Hash[Symbol, untyped]) -> Repro::Claim
      def self.from_h(hash) = new(**hash, statement: Statement.from_h(hash[:statement]))

      # What it is judged by, plain data: kept with each run.
      #: () -> Hash[Symbol, untyped]
      def stored = { text:, place:, table:, headline:, statement: statement.to_h.compact }

      # Does the other one say the same, as strictly?
      #: (Repro::Claim) -> bool
      def same?(other) = headline == other.headline && statement == other.statement
    end

    # A claim that can be tested: the ratio of a metric of `of` over that of each of `to` (names of
    # levels) lies between `low` and `high` (nil: no end there). `over`: the metric is what a
    # request takes beyond these levels, one for `of` and each of `to`; `since`: it is the ratio of
    # the metric to that of these levels, in the same way (nil: it is that of the levels alone).
    # `published` is the source's ratio (nil: it gives none), `direction` :more or :less if the
    # claim is that there is a difference of about that size, so that its sign alone says something.
    # `categories` of a profile, one for `of` and each of `to`: the metric is their share of the
    # CPU time of that level (nil: it is another metric); of the kind "share" there is only `of`,
    # and the range is one of shares. `kind` is one of Statements::KINDS. Of a not_testable one
    # there is only the `reason`; a warm one has as its `high` the batches within which each level
    # of `to` is warm, an excluded one its level, `of`; of those that survive or crash there is only
    # `to`, and as the `high` of those that survive the chance of a crash that they have at most. A
    # compiled one has the level, `of`, the `routine`, a method as the JIT calls it (nil: any), and
    # the versions of it.
    class Statement < Struct.new(:kind, :of, :to, :over, :since, :metric, :categories, :published,
                                 :low, :high, :direction, :reason, :routine, keyword_init: true)
      include Value

      SURVIVAL = %w[survives crashes].freeze

      # Of parsed JSON with symbol keys.
      #: (Hash[Symbol, untyped]) -> Repro::Statement
      def self.from_h(hash) = new(**hash, direction: hash[:direction]&.to_sym)

      #: () -> Array[String]
      def levels = [*of, *to, *over, *since].uniq

      # Its levels in pairs, each with what it is over or since: of `of` first, then of each of
      # `to`; none without an overhead or a gain.
      #: () -> Array[[String, String]]
      def pairs = over || since ? [of, *to].zip(over || since) : []

      # Of shares, each of its levels with the category: that of `of` first, then those of `to`.
      #: () -> Array[[String, String]]
      def parts = categories ? [of, *to].zip(categories) : []

      # Is it about servers that end, rather than about a ratio?
      #: () -> bool
      def survival? = SURVIVAL.include?(kind)

      #: () -> bool
      def testable? = kind != "not_testable"

      # Is it about ratios or a share, so that it is tested by a p-value?
      #: () -> bool
      def compared? = kind == "warm" || (testable? && !survival? && !cold?)

      # Is it about batches from a cold start?
      #: () -> bool
      def cold? = Statements::COLD.include?(kind)
    end

    # How one claim can be tested here: `levels`, one Standing for each level of its statement, or
    # the `obstacle` that keeps it from being tested, a Finding. Stored with the run (to_h, from_h),
    # so that it is judged by what was chosen when it was measured.
    class Test < Struct.new(:claim, :levels, :obstacle, keyword_init: true)
      include Value

      # Of parsed JSON with symbol keys.
      #: (Hash[Symbol, untyped]) -> Repro::Test
      def self.from_h(hash)
        obstacle = hash[:obstacle] && Analysis::Finding.note(hash[:obstacle][:code],
                                                             **hash[:obstacle][:values])
        new(claim: hash[:claim], levels: hash[:levels].map { |one| Standing.new(**one) }, obstacle:)
      end

      #: () -> Hash[Symbol, untyped]
      def to_h
        { claim:, levels: levels.map(&:to_h), obstacle: obstacle&.to_h&.slice(:code, :values) }
      end

      # The variant of the run that stands for a level.
      #: (String) -> String
      def variant(level) = levels.find { |one| one.level == level }.variant

      # The same of several.
      #: (Array[String]) -> Array[String]
      def variants(levels) = levels.map { |level| variant(level) }

      # The levels that another version stands for.
      #: () -> Array[Repro::Standing]
      def stand_ins = levels.select(&:used)

      # An outcome as far as these versions bear it, with them as findings, once for each version:
      # another version shows the direction at most, and what it contradicts, it contradicts for
      # itself only. shown_by: the variants that contradict; those of other levels have no part in
      # it.
      #: (String, shown_by: Array[String]) -> [String, Array[Analysis::Finding]]
      def weigh(outcome, shown_by:)
        found = stand_ins.group_by(&:versions).map do |(used, asked), all|
          only = outcome == Judge::CONTRADICTED &&
                 all.any? { |one| shown_by.include?(one.variant) }
          Analysis::Finding.note(only ? "repro_stand_in_only" : "repro_stand_in", used:, asked:)
        end
        outcome = Judge::DIRECTION if outcome == Judge::AGREES && found.any?
        [outcome, found]
      end
    end

    # What stands for a `level`: the name of a `variant` of the run; `used` the interpreter that
    # stands in for the one that was `asked` for (nil: none had to).
    class Standing < Struct.new(:level, :variant, :asked, :used, keyword_init: true)
      include Value

      # The version used and the one asked for, without flags that both have.
      #: () -> [String, String]
      def versions
        (here, *flags), (there, *others) = used.split, asked.split
        flags == others ? [here, there] : [used, asked]
      end
    end

    # What of a publication is measured here: `tests`, one for each claim; the `variants` that these
    # need, as of a declaration; the name of its `baseline`, nil if that is not among them.
    class Choice < Struct.new(:publication, :tests, :variants, :baseline, keyword_init: true)
      include Value

      #: () -> Array[Repro::Test]
      def testable = tests.reject(&:obstacle)
    end

    # What was found of a claim: `outcome` one of Judge::OUTCOMES; `interval` our ratio with its
    # ends (nil: not measured); `p` the chance to see this if the claim's opposite were true, as it
    # is and `adjusted` for all claims of the study; `findings` why, the first reason first;
    # `levels` what stood for its levels.
    class Judgement < Struct.new(:claim, :outcome, :interval, :p, :adjusted, :findings, :levels,
                                 keyword_init: true)
      include Value

      # Did another version contradict it than the published one?
      #: () -> bool
      def contradicted_by_stand_in?
        findings.any? { |finding| finding.code == "repro_stand_in_only" }
      end

      # The variants whose overhead it is about, each with what it is over; none if it is about
      # none, or could not be tested.
      #: () -> Array[[String, String]]
      def overheads
        return [] unless claim.statement.over

        names = levels.to_h { |one| [one.level, one.variant] }
        claim.statement.pairs.map { |pair| pair.map { |level| names[level] } }.select(&:all?)
      end
    end
  end
end
