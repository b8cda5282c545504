# frozen_string_literal: true

module Mohs
  module Repro
    # The documents of `mohs repro`: a published study beside the run that reproduces it, and the
    # list of all studies. Pure.
    class Document < Rounds::Document
      COMMAND = "repro"

      FINDING = %i[code values text].freeze

      # The list: a row for each publication, with what of it can be tested here, and what its size
      # --quick would measure (nil if it has no such size).
      #: (Array[[Repro::Choice, Repro::Estimate?]]) -> Hash[Symbol, untyped]
      def self.list(choices)
        obstacles = choices.flat_map { |choice, _| choice.tests.filter_map(&:obstacle) }
        lists = obstacles.select { |one| one.code == Missing::CODE }
                         .map { |one| one.values.fetch(:interpreters) }
        { studies: choices.map { |choice, quick| study(choice, quick) },
          missing: Missing.of(lists).to_h }
      end

      def self.study(choice, quick)
        publication = choice.publication
        reasons = choice.tests.filter_map(&:obstacle).map { |one| Report::Render.call(one) }.uniq
        { name: publication.name, title: publication.title, source: publication.source.to_h,
          file: publication.file, claims: choice.tests.size, testable: choice.testable.size,
          reasons:, quick: quick&.to_h }
      end
      private_class_method :study

      # The run's keys in a document without a run.
      NO_RUN = { run: nil, seconds: nil, finished_ms: nil,
                 host: { fingerprint: {}, noise: {}, load_from: nil, against: [] },
                 state: nil, app: nil, requested: [], connections: nil, rounds: nil, baseline: nil,
                 rows: [], software: [], overheads: [], shares: nil, cautions: [],
                 next: [] }.freeze

      # Units of the sources that tables here don't have, and how much of a row's figure one is.
      UNITS = { "throughput" => ["requests/s", 1], "boot" => ["s", 1000.0] }.freeze

      # Findings that say what was measured in place of what the source had.
      # The value: whether this may be why a claim is contradicted.
      SWAPS = { "repro_stand_in" => false, "repro_stand_in_only" => true,
                "repro_fewer_cores" => false, "repro_cores_only" => true }.freeze

      # Nobody waits longer for a claim to be decided.
      LONGEST_S = 4 * 3600

      # Codes of the notes of a run that say what may have disturbed it.
      CAUTIONS = %w[errors checks verdicts disturbed host].freeze

      # The document of a run of this publication. profiles: reads the run's, if it took some.
      #: (Analysis::Run, Repro::Publication, profiles: ^() -> Hash[Integer, Profile]) -> Hash[Symbol, untyped]
      def self.of(run, publication, profiles:)
        shares = ProfileShares.of(run, profiles: profiles.call) if run.stored.study.profile
        claims = Order.claims(run.stored)
        judgements = Judge.new(publication, Order.tests(run.stored), run, shares:, claims:).call
        new(run, publication, judgements, shares:).document
      end

      # The document of a publication of which nothing could be measured. invocation: nil if no
      # command asked for it.
      #: (Repro::Publication, Array[Repro::Judgement], size: String?, ?invocation: Invocation?) -> Hash[Symbol, untyped]
      def self.unmeasured(publication, judgements, size:, invocation: nil)
        own = parts(publication, judgements, size:, measured: 0)
        Report::Document.envelope(COMMAND, **NO_RUN, **typed(invocation), **own)
      end

      # The document of a publication by itself: nothing was measured, nor asked for.
      #: (Repro::Publication) -> Hash[Symbol, untyped]
      def self.published(publication)
        judgements = publication.claims.map do |claim|
          Judgement.new(claim:, outcome: Judge::UNDECIDED, findings: [], levels: [])
        end
        unmeasured(publication, judgements, size: nil)
      end

      # The document whose claims are judged by the source's own data, found in this folder.
      #: (Repro::Publication, Array[Repro::Judgement], Repro::RawData, folder: String, invocation: Invocation) -> Hash[Symbol, untyped]
      def self.of_source(publication, judgements, raw, folder:, invocation:)
        own = parts(publication, judgements, size: nil, measured: raw.rows.size,
                                             cold_start: raw.cold_start).merge(variants: [])
        Report::Document.envelope(COMMAND, **NO_RUN, **typed(invocation), **own, from_raw: folder)
      end

      # What is known of a document without a run: what was typed.
      def self.typed(invocation)
        { provenance: { seed: nil, argv: invocation&.argv || [], invocation: invocation&.to_h,
                        versions: {} },
          again: Report::Document.again(invocation&.to_h) }
      end

      # The keys that every publication's document has. cold_start: nil without batches. without:
      # names of levels that the size leaves out. beside: the figures of a metric that two variants
      # had beside each other, if both have one.
      #: (Repro::Publication, Array[Repro::Judgement], size: String?, measured: Integer, ?without: Array[String], ?cold_start: Analysis::ColdStart?, ?beside: ^(Analysis::Metric, Array[String]) -> Array[Float]?) -> Hash[Symbol, untyped]
      def self.parts(publication, judgements, size:, measured:, without: [], cold_start: nil,
                     beside: ->(*) {})
        counts = judgements.map(&:outcome).tally
        levels = { published: publication.levels.size, measured: }
        mapped = judgements.flat_map { |one| one.levels.map(&:to_h) }
        { name: publication.name, folder: folder(publication),
          title: publication.title, source: publication.source.to_h,
          environment: publication.environment, here: publication.here,
          notes: notes(publication), size:,
          levels: { **levels, left_out: without },
          variants: VariantList.new(publication, mapped).to_a,
          from_raw: nil, cold_start: Report::ColdStarts.levels(cold_start),
          counts: Repro::Judge::OUTCOMES.to_h { |one| [one.to_sym, counts.fetch(one, 0)] },
          sentence: sentence(publication, judgements, counts),
          claims: judgements.map { |one| claim(one, publication, beside) },
          figures: publication.figures.map(&:to_h) }
      end

      # The folder by which `mohs repro` finds the publication; nil if its name is enough.
      def self.folder(publication)
        place = CommandLine.place(publication.file)
        place if ::File.absolute_path?(place)
      end

      # The shortest path that can be found: relative to the checkout, else the whole path.
      def self.notes(publication)
        path = ::File.join(::File.dirname(publication.file), "notes.md")
        path.delete_prefix("#{Mohs.root}/") if ::File.file?(path)
      end

      def self.sentence(publication, judgements, counts)
        only = judgements.map(&:only).reject(&:empty?)
        Report::Render.text("repro_sentence",
                            source: publication.source.to_s, title: publication.title,
                            claims: Report::Numbers.counted(counts.values.sum, "claim"),
                            counts: Outcomes.tally(counts, only:))
      end

      def self.claim(judgement, publication, beside)
        claim = judgement.claim
        statement, interval = claim.statement, judgement.interval
        levels = judgement.levels.map(&:to_h)
        now = publication.claim(claim.id)
        { id: claim.id, text: claim.text, place: claim.place, table: claim.table,
          headline: claim.headline, ours: now&.ours || false, kind: statement.kind,
          metric: statement.metric, categories: statement.categories,
          method: statement.routine, of: statement.of, to: statement.to, over: statement.over,
          since: statement.since,
          published: statement.published,
          figures: now&.figures.to_a.map(&:to_h), unit: unit(statement, publication.counted),
          range: { low: statement.low, high: statement.high }, value: interval&.value,
          interval: interval&.low && [interval.low, interval.high],
          measured: measured(judgement, beside, publication.counted),
          judgement: judgement.outcome,
          reason: reason(judgement.findings, levels:, app: publication.here["app"]),
          findings: judgement.findings.map { |one| finding(one, levels) },
          p: judgement.p, p_adjusted: judgement.adjusted, levels: }
      end

      # The unit of a rate that is not one of requests.
      #: (Repro::Statement, Hash[Symbol, untyped]?) -> String?
      def self.unit(statement, counted)
        counted[:unit] if counted && statement.metric == "throughput"
      end

      # What programs read, and its text with the names of what ran.
      def self.finding(finding, levels)
        text = Report::Render.call(Names.new(levels).finding(finding))
        { **Report::Render.document(finding).slice(*FINDING), text: }
      end

      # Our own figures of the two variants that the ratio is of, in the source's unit of rates.
      def self.measured(judgement, beside, counted)
        statement = judgement.claim.statement
        metric = Metrics::OF_ROWS.find { |one| one.name == statement.metric } or return []
        unit, divisor = UNITS.fetch(metric.name) { [metric.unit, metric.each || 1] }
        unit, divisor = counted[:unit], 1.0 / counted[:each] if
          counted && statement.metric == "throughput"
        return [] if judgement.interval.nil? || statement.pairs.any?

        variants = judgement.levels.to_h { |one| [one.level, one.variant] }
        names = variants.values_at(statement.of, rival(judgement))
        names.zip(beside.call(metric, names).to_a).filter_map do |variant, value|
          { variant:, value: value / divisor, unit: } if value
        end
      end

      # The other level of the ratio.
      def self.rival(judgement)
        found = judgement.findings.find { |one| one.code == "repro_rival" }
        found ? found.values[:rival] : judgement.claim.statement.to.first
      end

      # In one sentence, with the names of what ran (`levels` as in the document); what was measured
      # in place of what the source had is said once, at its end. app: the name of the application
      # in place of the source's, which may be why as well.
      #: (Array[Analysis::Finding], ?levels: Array[Hash[Symbol, untyped]]?, ?app: String?) -> String?
      def self.reason(findings, levels: nil, app: nil)
        names = Names.new(levels)
        swaps, others = findings.partition { |one| SWAPS.key?(one.code) }
        named = others.any? { |one| one.code != "repro_rival" && one.values.key?(:rival) }
        others = others.reject { |one| one.code == "repro_rival" } if named
        texts = [*others.map { |one| Report::Render.call(names.finding(one)) },
                 *swapped(swaps, app)]
        texts.join("; ") if texts.any?
      end

      def self.swapped(swaps, app)
        return [] if swaps.empty?

        pairs = swaps.filter_map { |one| one.values.values_at(:used, :asked) if one.values[:asked] }
        cores = swaps.filter_map { |one| one.values.values_at(:here, :there) if one.values[:there] }
        [Report::Render.text("repro_swaps", pairs: pairs.uniq, cores: cores.first,
                                    app:, only: swaps.any? { |one| SWAPS[one.code] })]
      end
      private_class_method :typed, :folder, :notes, :sentence, :claim, :finding, :measured, :rival,
                           :swapped

      # shares: those of a run that took profiles.
      #: (Analysis::Run, Repro::Publication, Array[Repro::Judgement], ?shares: Repro::ProfileShares?) -> void
      def initialize(run, publication, judgements, shares: nil)
        super(run)
        @publication = publication
        @judgements = judgements
        @shares = shares
      end

      #: () -> Hash[Symbol, untyped]
      def document
        order = Repro::Order.of(@stored.study)
        own = self.class.parts(@publication, @judgements, size: order[:size],
                                                          without: order[:without].to_a,
                                                          measured: @run.measured_rows.size,
                                                          cold_start: @run.cold_start,
                                                          beside: SideBySide.new(@run.cohorts))
        frame.merge(state: @run.state, app: @stored.app && ::File.basename(@stored.app),
                    requested: Report::Subject.requested(@stored.study),
                    connections: @run.connections, rounds: @run.rounds, baseline: @run.baseline,
                    **own, rows:, software:, overheads:, shares:, cautions:, next: decisive)
      end

      private

      def rows = @rows ||= super

      # The interpreters that were measured, as they call themselves, then the servers and
      # frameworks that they had loaded: "puma 6.6.0".
      def software
        attested = rows.map { |row| row[:attested].to_h }
        gems = attested.flat_map { |one| one[:gems].to_h.map { |pair| pair.join(" ") } }
        [*attested.filter_map { |one| one[:interpreter] }.uniq, *gems.uniq.sort]
      end

      # More rounds, if they would probably decide more claims: none or one. It is a run of its own,
      # so that its length follows from what an earlier one found, not from its own figures.
      def decisive
        each_s = round_s if @stored.finished?
        return [] unless each_s

        open = needed_rounds
        rounds = open.select { |count| count * each_s <= LONGEST_S }.max or return []
        what = Report::Render.text("repro_decide", claims: open.count { |count| count <= rounds },
                                                   seconds: rounds * each_s)
        [{ what:, **@stored.study.procedure.again(rounds:).to_document }]
      end

      # Of each undecided claim that more rounds would decide.
      def needed_rounds
        @judgements.flat_map(&:findings).select { |one| one.code == "repro_rounds" }
                   .map { |one| one.values[:rounds] }
      end

      # Seconds that a round took; nil if that is not known.
      def round_s
        done, seconds = @run.rounds[:done], @run.cohorts.filter_map(&:seconds)
        seconds.sum / done if done.positive? && seconds.any?
      end

      def cautions = notes.select { |note| CAUTIONS.include?(note[:code]) }

      # In the order of study.yml.
      def shares
        names = @stored.study.variants.map(&:name)
        @shares&.levels(names)&.map do |level|
          { variant: level.name, trials: level.trials, samples: level.samples,
            categories: level.categories.map { |name, found| category(name, found) } }
        end
      end

      # An interval computed from logarithms may end above the whole.
      def category(name, found)
        { name:, share: found.value, interval: found.low && [found.low, [found.high, 1.0].min] }
      end

      # The overheads of all claims, each once.
      def overheads
        @judgements.flat_map(&:overheads).uniq.map do |pair|
          found = Pairs.new(@run).overhead_us(pair)
          { of: pair.first, over: pair.last, value_us: found.value,
            interval_us: found.low && [found.low, found.high] }
        end
      end
    end
  end
end
