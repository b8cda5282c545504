# frozen_string_literal: true

require "delegate"

module Mohs
  class CLI
    # The stream for what is said beside the answer: progress and remarks. Where nobody reads it any
    # more (a closed terminal or pipe, a full disk), the work goes on in silence.
    class BestEffortOutput < SimpleDelegator
      %i[puts print write flush].each do |name|
        define_method(name) do |*texts|
          super(*texts)
        rescue SystemCallError, IOError
          nil
        end
      end
    end
  end
end
