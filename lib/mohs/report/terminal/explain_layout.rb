# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # Pairs of variants, one below the other.
      class ExplainLayout < Layout
        KIND = Views::Explain::KIND

        #: () -> String
        def to_s
          others = @view.others.map { |view| ExplainLayout.new(view, style: @style) }
          paragraphs(wrapped(@view.subject), *[self, *others].flat_map(&:pair), named(@view.next))
        end

        # The paragraphs of one pair.
        #: () -> Array[String]
        def pair
          [[headline, *wrapped(why)].join("\n"), *grids.map { |grid| table(grid) }, *profile,
           named([*@view.remarks, *columns])]
        end

        private

        def profile
          profile = @view.pictures[:profile]
          profile ? ProfileTables.new(profile, style: @style).parts : []
        end
      end
    end
  end
end
