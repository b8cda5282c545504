# frozen_string_literal: true

module Mohs
  module Repro
    # What ran for the levels of a publication's claims: { name:, runs: } of each variant, in the
    # order of study.yml. Names of variants are short ("half 3 at 60"); `runs` is what they stand
    # for, as one would type it.
    class VariantList
      # levels: LevelMappings, as hashes, of all claims.
      #: (Repro::Publication, Array[Hash[Symbol, untyped]]) -> void
      def initialize(publication, levels)
        @publication = publication
        @levels = levels.uniq { |one| one[:variant] }
      end

      #: () -> Array[Hash[Symbol, String]]
      def to_a
        order = @publication.levels.keys
        known = @levels.select { |one| order.include?(one[:level]) }
        known.sort_by { |one| order.index(one[:level]) }.map do |one|
          notation = @publication.levels.fetch(one[:level])
          { name: one[:variant], runs: [ruby(one, notation), *rest(notation)].join(", ") }
        end
      end

      private

      def ruby(one, notation)
        return one[:used] if one[:used]

        [one[:unnamed] || notation.ruby || "the application's own Ruby", *notation.flags].join(" ")
      end

      # Without its Ruby; nil if there is no more. Variables and paths may contain a secret.
      def rest(notation)
        safe = notation.secret? ? { env: {}, get: nil } : {}
        text = Study::Notation.new(**notation.to_h, label: nil, ruby: nil, flags: [], **safe).to_s
        text unless text.empty?
      end
    end
  end
end
