# frozen_string_literal: true

module Mohs
  module Compare
    # The comparison that would get the requests that a p99 lacks: `mohs compare --metric p99` loads
    # each server until it has them.
    class ForTail < Report::Suggestion
      # What to type, as Proposal#to_document, and `load_s`, for how long it loads each server; nil
      # if it would not help. name: of the variant whose p99 it is (any: nil). shortage: see
      # Analysis::Latency#shortage.
      #: (Store::Run, Hash[Symbol, untyped], ?name: String?) -> Hash[Symbol, untyped]?
      def self.call(stored, shortage, name: nil)
        document = { provenance: stored.provenance }
        new(document, stored.study, nil).of(shortage, pair(stored.study, name))
      end

      # Does a server that takes `needed_s` for `needed` requests have those of a p99 in the time
      # for which a cohort loads it at most? False if the time is unknown.
      #: (needed: Integer, ?needed_s: Float?, **untyped) -> bool
      def self.in_time?(needed:, needed_s: nil, **)
        !needed_s.nil? && Plan::Costs::RATED * needed_s / needed <= Cohort::Schedule::LONGEST_S
      end

      # The variant and what it is compared with, A and B; nil: it has no counterpart.
      def self.pair(study, name)
        measured = study.variants.reject(&:refusal)
        a = measured.find { |one| one.name == study.baseline } || measured.first
        others = measured - [a]
        b = others.find { |one| one.name == name } || others.first
        [a, b] if b
      end
      private_class_method :pair

      #: (Hash[Symbol, untyped], [Study::Variant, Study::Variant]?) -> Hash[Symbol, untyped]?
      def of(shortage, pair)
        return if pair.nil? || @study.jobs || @study.streams || already?
        return unless pair.map(&:rate).uniq.size == 1

        load_s = load_s(shortage, pair.first.rate) or return
        { **proposal(pair).with(metric: Analysis::Metric::TAIL.name).to_document, load_s: }
      end

      private

      def already? = @study.rules.is_a?(Rules) && @study.rules.tail?

      # nil: no server would have them in time.
      def load_s(shortage, rate)
        return Loading.tail_s([rate]) if rate

        shortage[:needed_s] if ForTail.in_time?(**shortage)
      end

      # With what was typed about the subject; else with A and B in place of what is not known.
      def proposal(pair)
        return subject if subject && subject.command == Rules::NAME

        names = pair.map { |one| written(one.name) }
        return subject.to(Rules::NAME, *names) if subject && @study.file.nil? && names.all?

        Report::Proposal.to(Rules::NAME, "A", "B", rate: pair.first.rate)
      end
    end
  end
end
