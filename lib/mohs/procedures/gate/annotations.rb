# frozen_string_literal: true

module Mohs
  module Gate
    # The annotations of a pull request: one for each gate that doesn't hold.
    module Annotations
      LEVELS = { "fails" => "error", "inconclusive" => "warning" }.freeze

      # file: the file that declares the gates, relative to the folder that the runner has checked
      # out; nil: none.
      #: (Hash[Symbol, untyped], ?file: String?) -> Array[Report::GithubAnnotation]
      def self.of(document, file: nil)
        document[:gates].reject { |gate| gate[:outcome] == "holds" }.map do |gate|
          Report::GithubAnnotation.new(
            level: LEVELS.fetch(gate[:outcome]), title: "mohs gate: #{gate[:name]}", file:,
            message: "#{gate[:title]} #{gate[:limit]} #{gate[:outcome]}: #{gate[:reason]}",
          )
        end
      end
    end
  end
end
