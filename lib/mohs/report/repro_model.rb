# frozen_string_literal: true

module Mohs
  module Report
    # The documents of `mohs repro`: a published study beside the run that reproduces it, and the
    # list of all. Pure.
    class ReproModel < Model
      FINDING = %i[code values text].freeze

      # Rows of the list: a publication, and what of it can be tested here (Repro::Choice).
      #: (Array[Repro::Choice]) -> Hash[Symbol, untyped]
      def self.list(choices) = { studies: choices.map { |choice| study(choice) } }

      def self.study(choice)
        publication = choice.publication
        reasons = choice.tests.filter_map(&:obstacle).map { |one| Phrase.call(one) }.uniq
        { name: publication.name, title: publication.title, source: publication.source.to_h,
          file: publication.file, claims: choice.tests.size, testable: choice.testable.size,
          reasons: }
      end
      private_class_method :study

      # What of a publication was found where nothing could be measured.
      #: (Repro::Publication, Array[Repro::Judgement], size: String?) -> Hash[Symbol, untyped]
      def self.unmeasured(publication, judgements, size:)
        frame = { run: nil, seconds: nil, host: { fingerprint: {}, noise: {}, against: [] },
                  provenance: { seed: nil, argv: [], versions: {} }, state: nil, app: nil,
                  requested: [], connections: nil, rounds: nil, baseline: nil, rows: [] }
        Document.envelope("repro", **frame, **parts(publication, judgements, size:, measured: 0))
      end

      # What every document of one has.
      #: (Repro::Publication, Array[Repro::Judgement], size: String?, measured: Integer) -> Hash[Symbol, untyped]
      def self.parts(publication, judgements, size:, measured:)
        counts = judgements.map(&:outcome).tally
        levels = { published: publication.levels.size, measured: }
        { name: publication.name, title: publication.title, source: publication.source.to_h,
          environment: publication.environment, notes: notes(publication), size:, levels:,
          counts: Repro::Judge::OUTCOMES.to_h { |one| [one.to_sym, counts.fetch(one, 0)] },
          sentence: sentence(publication, counts, **levels),
          claims: judgements.map { |one| claim(one) },
          figures: publication.figures.map(&:to_h) }
      end

      # As short as it can be found: below the checkout, or wherever it is.
      def self.notes(publication)
        path = File.join(File.dirname(publication.file), "notes.md")
        path.delete_prefix("#{Mohs.root}/") if File.file?(path)
      end

      def self.sentence(publication, counts, published:, measured:)
        words = Repro::Judge::OUTCOMES.select { |one| counts.key?(one) }.map do |one|
          "#{counts[one]} #{Words::Claims.outcome(one, counts[one])}"
        end
        Phrase.text("repro_sentence", source: publication.source.to_s, title: publication.title,
                                      levels: Numbers.counted(published, "level"), measured:,
                                      claims: Numbers.counted(counts.values.sum, "claim"),
                                      counts: words.join(", "))
      end

      def self.claim(judgement)
        claim = judgement.claim
        statement, interval = claim.statement, judgement.interval
        { text: claim.text, place: claim.place, table: claim.table, headline: claim.headline,
          kind: statement.kind, metric: statement.metric, published: statement.published,
          range: { low: statement.low, high: statement.high }, value: interval&.value,
          interval: interval&.low && [interval.low, interval.high],
          judgement: judgement.outcome,
          reason: reason(judgement.findings),
          findings: judgement.findings.map { |one| Phrase.document(one).slice(*FINDING) },
          p: judgement.p, p_adjusted: judgement.adjusted, levels: judgement.levels.map(&:to_h) }
      end

      def self.reason(findings)
        findings.map { |one| Phrase.call(one) }.join("; ") if findings.any?
      end
      private_class_method :notes, :sentence, :claim, :reason

      #: (Analysis::Run, Repro::Publication, Array[Repro::Judgement]) -> void
      def initialize(run, publication, judgements)
        super(run)
        @publication = publication
        @judgements = judgements
      end

      #: () -> Hash[Symbol, untyped]
      def document
        own = self.class.parts(@publication, @judgements, size: Repro::Order.of(@stored)[:size],
                                                          measured: @run.measured_rows.size)
        Document.envelope("repro", run: @stored.key, seconds: @stored.seconds, host:, provenance:,
                                   state: @run.state,
                                   app: @stored.app && File.basename(@stored.app),
                                   requested: Subject.requested(@stored.study),
                                   connections: @run.connections, rounds: @run.rounds,
                                   baseline: @run.baseline, **own, rows:)
      end
    end
  end
end
