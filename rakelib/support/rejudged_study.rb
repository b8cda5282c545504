# frozen_string_literal: true

require_relative "recorded_rubies"

module Mohs
  # A recorded document of `mohs repro NAME --json`, with the claims as published.yml states them
  # now, so that a reading that was corrected does not stay on its page until the study is measured
  # again. What was measured stays as it is:
  #
  #   - a claim that is stated as before keeps its judgement;
  #   - one whose range has changed is judged by its recorded interval alone, and says so. The
  #     document has no p-value for it, so the interval is made as wide as it has to be for all
  #     claims of the study together, and without totals, pauses included, nothing is found equal;
  #   - one that the document lacks, or has without a figure, was not measured, and says so; if no
  #     Ruby that any document names can stand for one of its levels, it is not testable here;
  #   - what an unsteady server of a JVM served is no rate, as in any run since (Checks::Steady).
  #
  # Claims that are gone are left out. Judging a document twice changes nothing.
  class RejudgedStudy
    STAND_INS = %w[repro_stand_in repro_stand_in_only].freeze
    # Judged anew from the claim as it is now.
    FEWER_CORES = %w[repro_fewer_cores repro_cores_only].freeze
    # Findings that only the direction is as published: the size differs, or is not known.
    SIZES = %w[repro_other_size repro_size_open].freeze
    # Findings of recorded claims that were not measured.
    NO_RECORD = %w[repro_stated repro_added].freeze
    # Findings of claims whose interval does not decide them.
    OPEN = %w[repro_size_open repro_rounds].freeze
    # Findings of a claim that has no figure, whatever was recorded.
    WITHOUT_FIGURES = %w[repro_added repro_warming].freeze
    # Among the findings that disturbed the run.
    UNSTEADY = "steady.capped"
    JVM = /\A(jruby|truffleruby)/
    # Figures that a server has whether it is warm or not.
    OF_NO_RATE = %w[memory boot].freeze
    # Metrics of which an equality needs the totals as well.
    TOTALLED = %w[throughput cpu overhead].freeze
    # What of a claim the comparison is of.
    SIDES = %i[of to over since metric categories].freeze

    # rubies: all that are known to be installed where the document was made.
    #: (Hash[Symbol, untyped], Repro::Publication, rubies: Mohs::RecordedRubies) -> void
    def initialize(document, publication, rubies:)
      @document = document
      @publication = publication
      @rubies = rubies
      @recorded = document[:claims]
      @cores = document.dig(:host, :fingerprint, :cores)
    end

    #: () -> Hash[Symbol, untyped]
    def document
      claims = @publication.claims.map { |claim| claim(claim) }
      counts = claims.map { |one| one[:judgement] }.tally
      judged = Repro::Judge::OUTCOMES.to_h { |one| [one.to_sym, counts.fetch(one, 0)] }
      publication = @publication.to_h.slice(:title, :environment, :here)
      levels = claims.flat_map { |one| one[:levels] }
      { **@document, **publication, source: @publication.source.to_h, claims:, counts: judged,
                     variants: Repro::VariantList.new(@publication, levels).to_a,
                     sentence: sentence(claims, counts) }
    end

    private

    def sentence(claims, counts)
      only = claims.map { |one| codes(one[:findings]) & Repro::Test::ONLY }.reject(&:empty?)
      Report::Render.text("repro_sentence",
                          source: @publication.source.to_s, title: @publication.title,
                          claims: Report::Numbers.counted(claims.size, "claim"),
                          counts: Repro::Outcomes.tally(counts, only:))
    end

    def claim(claim)
      statement, recorded = claim.statement, recorded(claim)
      outcome, findings = judgement(claim, recorded)
      outcome, findings = unmeasured(claim, outcome, findings)
      outcome, findings = steady(outcome, findings, recorded)
      outcome, findings = weighed(claim, outcome, findings, recorded)
      findings = findings.map do |one|
        counted(doubtful(several(alike(one, findings, statement), statement), statement, recorded))
      end
      figures = recorded.to_h.slice(:value, :interval, :measured)
      figures = {} if codes(findings).intersect?(WITHOUT_FIGURES)
      { **claim.to_h.slice(:id, :text, :place, :headline, :ours), kind: statement.kind,
        **statement.to_h.slice(*SIDES, :published), figures: claim.figures.map(&:to_h),
        unit: Repro::Document.unit(statement, @publication.counted),
        method: statement.routine, range: { low: statement.low, high: statement.high },
        value: nil, interval: nil, measured: [], **figures, judgement: outcome, findings:,
        levels: levels(claim) }
    end

    # What stood for its levels: what the Rubies of the document itself allow.
    def levels(claim)
      @own ||= selection(RecordedRubies.new(@document[:software].to_a))
      @own.find { |test| test.claim == claim.id }.levels.map(&:to_h)
    end

    # The tests of all claims in the size of the document.
    def selection(rubies)
      without = @document.dig(:levels, :left_out).to_a
      Repro::Selection.new(@publication, rubies:, cores: @cores).call(without:).tests
    end

    # A claim without a measurement: what can't be tested is said first.
    def unmeasured(claim, outcome, findings)
      return [outcome, findings] unless codes(findings).intersect?(Repro::Judge::UNMEASURED)

      @tests ||= selection(@rubies)
      why = @tests.find { |test| test.claim == claim.id }.obstacle
      return ["not_measured", findings] unless why

      [Repro::Judge.hindered(why, otherwise: "not_testable"), [note(why.code, **why.values)]]
    end

    # Whether boots that were alike show what is claimed.
    def alike(finding, findings, statement)
      return finding unless finding[:code] == "repro_few_boots"

      seen = findings.find { |one| one[:code] == "repro_versions" }.dig(:values, :versions)
      claimed = seen.all? { |count| count.between?(statement.low, statement.high || count) }
      { **finding, values: { **finding[:values], claimed: } }
    end

    # What is shown of several holds for all.
    def several(finding, statement)
      return finding unless finding[:code] == "repro_ordered" && statement.to.size > 1

      values = finding[:values].except(:several)
      shown = [values[:rival], *values[:categories]]
      all = values[:categories] ? statement.categories.drop(1) : statement.to
      { **finding, values: { **values, others: all - shown } }
    end

    # Whether the interval of one ratio would decide it alone, and why it does not.
    def doubtful(finding, statement, recorded)
      low, high = recorded.to_h[:interval]
      return finding unless low && statement.to.size <= 1

      values = finding[:values].to_h
      if OPEN.include?(finding[:code])
        alone = alone(finding[:code], statement, low, high)
        leaning = leaning(statement, recorded[:value]) if finding[:code] == "repro_rounds"
        known = values.slice(:against, :direction)
        values = { **values.except(:alone, *known.keys), **{ alone: }.compact, **leaning.to_h,
                   **known }
      elsif finding[:code] == "repro_noisy"
        values = Repro::Judge.noisy(recorded[:value], [low, high],
                                    limit(statement, recorded[:value]))
      end
      { **finding, values: }
    end

    def alone(code, statement, low, high)
      outcome, found = compared(statement, low, high)
      return (true if outcome != "undecided") if code == "repro_rounds"

      { "repro_within" => "within", "repro_other_size" => "beyond" }[found[:code]]
    end

    # Which way the ratio would decide it, as Repro::Evidence says.
    def leaning(statement, value)
      return { against: (value > 1) != (statement.direction == :more), direction: true } if
        statement.direction

      { against: !value.between?(statement.low || 0.0, statement.high || Float::INFINITY) }
    end

    # The limit that decides: no difference, else the nearest end of the range.
    def limit(statement, value)
      return 1.0 if statement.direction

      [statement.low, statement.high].compact.min_by { |bound| Math.log(value / bound).abs }
    end

    # With the number of rounds that there were, where it is known.
    def counted(finding)
      here = @document.dig(:rounds, :done)
      return finding unless here && Repro::Judge::ROUNDS.include?(finding[:code])

      { **finding, values: { **finding[:values], here: } }
    end

    def recorded(claim) = @recorded.find { |one| one[:id] == claim.id }

    def sides(claim) = SIDES.map { |key| claim[key] }

    def judgement(claim, recorded)
      statement = claim.statement
      return ["not_testable", [note("repro_stated", why: statement.reason)]] unless
        statement.testable?
      return added(claim) if recorded.nil? || codes(recorded[:findings]).intersect?(NO_RECORD)
      return added(claim) unless sides(recorded) == sides(statement) || recorded[:value].nil?
      return added(claim) unless recorded[:findings].all? { |one| allowed?(claim, one) }

      range = { low: statement.low, high: statement.high }
      return recorded.values_at(:judgement, :findings) if
        recorded[:value].nil? || (recorded[:range] == range && recorded[:kind] == statement.kind)

      by_interval(statement, recorded)
    end

    # May what stood in still stand in?
    def allowed?(claim, finding)
      return true unless STAND_INS.include?(finding[:code])

      used, asked = finding[:values].fetch_values(:used_ruby, :asked_ruby)
      [@publication.instead, claim.instead].any? do |versions|
        versions.any? do |name, others|
          ruby(name) == asked && others.any? { |one| stands_for?(used, ruby(one)) }
        end
      end
    end

    # By its name, or the start of it.
    def stands_for?(used, ruby) = used == ruby || used.start_with?("#{ruby}.", "#{ruby}-")

    # The Ruby in what a study writes: without flags.
    def ruby(text) = Study::Notation.parse(text).ruby

    # With the comparison that is missing, where one pair or more of variants is compared.
    def added(claim)
      statement = claim.statement
      sides = {}
      if statement.to.to_a.any? && statement.categories.nil? && statement.pairs.empty?
        quantity = Repro::Sides.new({ metric: statement.metric }).quantity
        sides = { of: statement.of, rivals: statement.to, quantity: }
      end
      ["not_measured", [note("repro_added", **sides)]]
    end

    def by_interval(statement, recorded)
      low, high = together(statement, recorded)
      outcome, finding = low ? compared(statement, low, high) : ["undecided", note("repro_noisy")]
      outcome, finding = ["undecided", note("repro_noisy")] if outcome == "agrees" &&
                                                               totals?(statement)
      kept = recorded[:findings].select { |one| STAND_INS.include?(one[:code]) }.map do |one|
        { **one, code: STAND_INS[outcome == "contradicted" ? 1 : 0] }
      end
      # How many rounds would decide it was never computed.
      finding = nil if outcome == "undecided"
      [outcome, [finding, note("repro_by_wider_interval"), *kept].compact]
    end

    # The interval as wide as Bonferroni's correction makes it, at the level of the study or of its
    # headlines, with the fewest degrees of freedom that it may have had: those of its rounds.
    def together(statement, recorded)
      low, high = recorded[:interval]
      return unless low

      freedom = (@document.dig(:rounds, :done) || Stats::Interval::FEWEST) - 1
      alone, all = [Analysis::Verdict::ALPHA, level(statement)].map do |alpha|
        Stats::StudentT.upper_quantile(alpha / 2, freedom)
      end
      [low, high].map { |one| recorded[:value] * ((one / recorded[:value])**(all / alone)) }
    end

    def level(statement)
      headline = @publication.claims.find { |one| one.statement.equal?(statement) }.headline
      family = @publication.claims.count do |one|
        one.headline == headline && one.statement.compared?
      end
      share = headline ? Repro::Judge::HEADLINE : Repro::Judge::STUDY
      [share / family, Analysis::Verdict::ALPHA].min
    end

    # Does a range around 1 need totals that the document lacks?
    def totals?(statement)
      statement.around_one? && TOTALLED.include?(statement.metric)
    end

    # The outcome if the interval decides it.
    def compared(statement, low, high)
      from, to = statement.low || 0.0, statement.high || Float::INFINITY
      range = { low: statement.low, high: statement.high }
      return ["agrees", note("repro_within", sized: statement.kind == "ratio", **range)] if
        low >= from && high <= to

      out = low > to || high < from
      unless statement.direction
        return out ? ["contradicted", note("repro_outside", **range)]
                   : ["undecided", note("repro_noisy")]
      end

      same = statement.direction == :more ? low > 1 : high < 1
      return ["contradicted", note("repro_smaller")] if statement.much_smaller?(low, high)
      return ["undecided", note("repro_noisy")] unless same

      larger = (low > to) == (statement.direction == :more)
      ["direction_only", out ? note("repro_other_size", larger:, **range)
                             : note("repro_size_open", rounds: nil, **range)]
    end

    # A JVM that was still compiling has no rate.
    def steady(outcome, findings, recorded)
      return [outcome, findings] if recorded.nil? || recorded[:value].nil?

      level = compared_levels(outcome, findings, recorded).find { |one| warming?(one, recorded) }
      return [outcome, findings] if level.nil? || OF_NO_RATE.include?(recorded[:metric])

      ["undecided", [note("repro_warming", variant: level)]]
    end

    # An order is contradicted by one rival, whatever the others are.
    def compared_levels(outcome, findings, recorded)
      rival = findings.filter_map { |one| one.dig(:values, :rival) }.first
      return [recorded[:of], rival] if outcome == "contradicted" && rival

      [recorded[:of], *recorded[:to]]
    end

    def warming?(level, recorded)
      return false unless @publication.levels[level]&.ruby.to_s.match?(JVM)

      mapping = recorded[:levels].to_a.find { |one| one[:level] == level }
      unsteady.include?(mapping ? mapping[:variant] : level)
    end

    # The names of the variants that were.
    def unsteady
      @unsteady ||= @document[:cautions].to_a.select { |one| one.fetch(:finding) == UNSTEADY }
                                        .flat_map { |one| one[:variants] }
    end

    # As Repro::Test#weigh does, from the stand-ins that the document names.
    def weighed(claim, outcome, findings, recorded)
      findings = findings.reject { |one| FEWER_CORES.include?(one[:code]) }
      versions, others = findings.partition { |one| STAND_INS.include?(one[:code]) }
      unnamed, versions = versions.partition { |one| unnamed?(one) }
      outcome = "agrees" if outcome == "direction_only" && versions.empty? && unnamed.any? &&
                            !codes(others).intersect?(SIZES)
      outcome = "direction_only" if outcome == "agrees" && versions.any?
      own = outcome == "contradicted" ? contradicting(claim, findings, unnamed, recorded) : []
      [outcome, [*others, *versions, *own, *cores(claim, outcome)]]
    end

    # On the versions that contradict a claim whose source names none: those that the document has
    # as stand-ins, or else those that the levels' own names mean. None if the document says it.
    def contradicting(claim, findings, unnamed, recorded)
      return [] if codes(findings).include?("repro_unnamed_only")

      only = unnamed.select { |one| one[:code] == "repro_stand_in_only" }
      used = only.map { |one| one.dig(:values, :used) }
      used = own_versions(claim, findings, recorded) if unnamed.empty? && recorded
      used.any? ? [note("repro_unnamed_only", used:)] : []
    end

    def own_versions(claim, findings, recorded)
      compared = compared_levels("contradicted", findings, recorded)
      levels(claim).select { |one| compared.include?(one[:level]) }
                   .filter_map { |one| one[:unnamed] }.uniq
    end

    def unnamed?(finding)
      @publication.unnamed.include?(finding[:values].fetch(:asked_ruby))
    end

    def cores(claim, outcome)
      there = claim.source_cores
      return [] if there.nil? || there <= @cores ||
                   !%w[contradicted direction_only].include?(outcome)

      [note(outcome == "contradicted" ? "repro_cores_only" : "repro_fewer_cores",
            there:, here: @cores)]
    end

    def codes(findings) = findings.map { |one| one[:code] }

    def note(code, **values) = { code:, values: }
  end
end
