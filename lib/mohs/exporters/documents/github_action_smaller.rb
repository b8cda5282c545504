# frozen_string_literal: true

module Mohs
  module Exporters
    module Documents
      # The same for the tool customSmallerIsBetter: times, memory, errors.
      class GithubActionSmaller < GithubAction
        HELP = "times and memory for the same"
        ENDINGS = %w[.github-smaller.json].freeze
        BETTER = "less"
      end
    end
  end
end
