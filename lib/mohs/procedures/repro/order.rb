# frozen_string_literal: true

module Mohs
  module Repro
    # What is to be reproduced: a publication, in one of its sizes, and which part of it. It becomes
    # a declaration, and is stored with the run as Repro::Rules#published.
    class Order < Struct.new(:choice, :size, :only, keyword_init: true)
      include Value

      # What a study reproduces; nil if it reproduces nothing. Raises TypeError for a forged run.
      #: (Study) -> Hash[Symbol, untyped]?
      def self.of(study)
        return unless study.rules.is_a?(Rules)

        order = study.rules.published
        return order if order.is_a?(Hash)

        raise TypeError, "#{order.class} in place of what is reproduced"
      end

      # The newest of these runs that reproduces a publication and was begun with these values (of
      # to_h: size, only); nil if there is none. Imported runs don't count: somebody else began
      # them.
      #: (Array[Store::Run], Repro::Publication, **String?) -> Store::Run?
      def self.newest(runs, publication, **begun)
        begun = { file: publication.file, **begun }
        own = runs.reject(&:imported?)
        same = own.select { |run| of(run.study)&.slice(*begun.keys) == begun }
        same.max_by(&:created_ms)
      end

      # The tests of a stored run.
      #: (Store::Run) -> Array[Repro::Test]
      def self.tests(run) = of(run.study).fetch(:tests).map { |test| Test.from_h(test) }

      # All claims of a stored run's publication as they were when the run began.
      #: (Store::Run) -> Array[Repro::Claim]
      def self.claims(run) = of(run.study).fetch(:claims).map { |claim| Claim.from_h(claim) }

      # The overrides of one of the study's sizes; {} for nil, which is study.yml as it is. Raises
      # UsageError.
      #: (Repro::Publication, String?) -> Hash[Symbol, untyped]
      def self.size(publication, size)
        return {} unless size

        publication.sizes.fetch(size) do
          raise UsageError, "#{publication.name} has no size #{size}: see sizes in its " \
                            "#{File::NAME} (#{File::MANUAL})."
        end
      end

      # Names of the variants that a size leaves out. Raises UsageError.
      #: (Repro::Publication, String?) -> Array[String]
      def self.without(publication, size) = self.size(publication, size).fetch(:without, [])

      # given: from the command line, takes precedence (Study::Builder).
      #: (Hash[Symbol, untyped]) -> Hash[Symbol, untyped]
      def declaration(given)
        publication = choice.publication
        sized = self.class.size(publication, size)
        sized = sized.except(:budget_s) if given[:rounds] # a size's budget is for its own rounds
        { **publication.declaration.except(:variants, :baseline),
          variants: variants(sized[:served]), baseline: choice.baseline, file: publication.file,
          baseline_from: (File::STUDY if choice.baseline), published: to_h,
          **sized.except(:served, :without), **given }.compact
      end

      #: () -> Hash[Symbol, untyped]
      def to_h
        publication = choice.publication
        { name: publication.name, file: publication.file, size:, only:,
          without: self.class.without(publication, size), levels: publication.levels.size,
          tests: choice.tests.map(&:to_h), claims: publication.claims.map(&:stored) }
      end

      private

      # The variants, on the server of the size if it has one; the rest of each variant stays as it
      # is.
      def variants(served)
        return choice.variants unless served

        choice.variants.map do |place, notation|
          [place, Study::Notation.new(**notation.to_h, **served)]
        end
      end
    end
  end
end
