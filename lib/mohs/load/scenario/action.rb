# frozen_string_literal: true

module Mohs
  module Load
    class Scenario
      # Steps in a row: `steps` the range of their numbers, `name` for reports or nil, `weight` how
      # often relative to the others.
      Action = Struct.new(:name, :weight, :steps, keyword_init: true) do
        include Value
      end
    end
  end
end
