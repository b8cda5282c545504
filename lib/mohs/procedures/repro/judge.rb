# frozen_string_literal: true

module Mohs
  module Repro
    # Judges the claims of a publication by a stored run (method, section 5): by ratios within one
    # run of interleaved servers, never by absolute rates, since the source's noise is not known.
    # Pure.
    class Judge
      AGREES, DIRECTION, CONTRADICTED, UNDECIDED, NOT_MEASURED, NOT_TESTABLE =
        OUTCOMES = %w[agrees direction_only contradicted undecided not_measured
                      not_testable].freeze

      # Findings on claims that could have been tested here, but have no measurement.
      UNMEASURED = %w[repro_nothing repro_unmeasured repro_no_batches repro_out_of_size
                      repro_added].freeze

      # The outcome of a claim that something kept from being tested.
      #: (Analysis::Finding, ?otherwise: String) -> String
      def self.hindered(why, otherwise: UNDECIDED)
        UNMEASURED.include?(why.code) ? NOT_MEASURED : otherwise
      end

      # The share of false findings among the findings of a study (Benjamini-Hochberg), and the
      # chance of any false finding among its headlines (Holm).
      STUDY = 0.1
      HEADLINE = 0.05

      # What is tested for each claim (Evidence).
      QUESTIONS = %i[claim_p size_p agree_p].freeze

      # Tolerance for a threshold that is multiplied again.
      ROUNDING = 1e-12

      # Findings that say how many rounds would decide.
      ROUNDS = %w[repro_rounds repro_size_open].freeze

      # Nobody would wait for more rounds than this.
      MANY = 1000
      # Logarithms: a figure at most so far from a limit is close to it, unless half of its interval
      # is wider.
      CLOSE, WIDE = 0.05, 0.4

      # Why so many rounds would not decide: the figure is close to the limit, or its interval is
      # wide.
      #: (Float, [Float?, Float?], Float) -> Hash[Symbol, bool]
      def self.noisy(value, interval, bound)
        low, high = interval
        return {} unless low&.positive? && value.positive?

        wide = Math.log(high / low) / 2 > WIDE || Math.log(value / bound).abs > CLOSE
        wide ? { wide: } : {}
      end

      # tests: of the publication's claims. run: nil if nothing could be measured; may also be the
      # source's own data. shares: of the run's profiles; nil if it took none. claims: all claims of
      # the publication, as they were when the run began (Order.claims); nil: as they are now, for
      # what is not a run.
      #: (Repro::Publication, Array[Repro::Test], (Analysis::Run | Repro::RawData)?, ?shares: Repro::ProfileShares?, ?claims: Array[Repro::Claim]?) -> void
      def initialize(publication, tests, run, shares: nil, claims: nil)
        @now = publication.claims.to_h { |claim| [claim.id, claim] }
        @claims = claims&.to_h { |claim| [claim.id, claim] } || @now
        @sizes = publication.sizes
        @recording = publication.sizes.select { |_, size| size[:cold_start] }.keys
        @tests = tests.select { |test| @claims.key?(test.claim) }
        @run = run
        @shares = shares
      end

      # The judgements, in the order of the claims.
      #: () -> Array[Repro::Judgement]
      def call
        evidence = @tests.map { |test| evidence(test, @claims.fetch(test.claim)) }
        evidence.partition { |one| one.claim.headline }
                .zip([Stats::Holm, Stats::BenjaminiHochberg], [HEADLINE, STUDY])
                .each { |family, method, alpha| adjust(family, method, alpha) }
        evidence.map { |one| marked(remedied(one.judgement)) }
      end

      private

      # The judgement, with the rounds that there are, and where more can be had.
      def remedied(judgement)
        findings = judgement.findings.map do |one|
          next one unless ROUNDS.include?(one.code)

          Analysis::Finding.new(**one.to_h, values: { **one.values, **more_rounds })
        end
        Judgement.new(**judgement.to_h, findings:)
      end

      # `here`: the number of rounds that there were; `full`: that of this size, if it has more.
      # Empty for a source's own data, which has no more.
      def more_rounds
        return {} unless @run.is_a?(Analysis::Run)

        here, full = @run.rounds[:done], @sizes.dig("full", :rounds)
        { here:, **(full && full > here ? { full: } : {}) }
      end

      # The judgement, with a finding if the claim has changed since the run.
      def marked(judgement)
        now = @now[judgement.claim.id]
        return judgement if now&.same?(judgement.claim)

        since = Analysis::Finding.note(now ? "repro_edited" : "repro_deleted")
        Judgement.new(**judgement.to_h, findings: [*judgement.findings, since])
      end

      def evidence(test, claim)
        return ShareEvidence.new(claim, test, @run, @shares) if claim.statement.categories
        return BatchEvidence.new(claim, test, @run, sizes: @recording) if claim.statement.batches?
        return cold(claim).new(claim, test, @run, sizes: @recording) if claim.statement.cold?

        (claim.statement.survival? ? Survival : Evidence).new(claim, test, @run)
      end

      def cold(claim)
        case claim.statement.kind
        when "warm" then WarmEvidence
        when "compiled" then CompiledEvidence
        else ColdEvidence
        end
      end

      # Adjusts for the whole study, whatever was asked for: a claim without figures counts as a
      # test that found nothing. The other questions about a ratio, whether it differs from the
      # published one and whether it equals it, are families of their own.
      def adjust(family, method, alpha)
        tested = family.select(&:tested?)
        return if tested.empty?

        unknown = family.count(&:counted?) - tested.size + unasked(tested.first.claim.headline)
        p_values = QUESTIONS.to_h { |kind| [kind, tested.map(&kind) + Array.new(unknown, 1.0)] }
        p_values.each do |kind, all|
          tested.zip(method.adjust(all)) { |one, p| one.adjusted(kind, p, alpha:) }
        end
        tested.each_with_index do |one, index|
          one.thresholds = p_values.transform_values { |all| level(all, index, method, alpha) }
        end
      end

      # The largest p-value that would be significant for this claim, given the other p-values: the
      # thresholds of Holm and of Benjamini and Hochberg are these fractions.
      def level(p_values, index, method, alpha)
        others, count = p_values.dup, p_values.size
        steps = (1..count).flat_map { |step| [alpha / step, alpha * step / count] }
        steps.sort.reverse.find do |p|
          others[index] = p
          method.adjust(others)[index] <= alpha + ROUNDING
        end
      end

      # The number of claims that would also be tested if they had been asked for.
      def unasked(headline)
        asked = @tests.map(&:claim)
        others = @claims.values.reject { |claim| asked.include?(claim.id) }
        others.count { |claim| claim.headline == headline && claim.statement.compared? }
      end
    end
  end
end
