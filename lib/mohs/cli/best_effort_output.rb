# frozen_string_literal: true

require "delegate"

module Mohs
  class CLI
    # The stream for progress and remarks beside the answer. If nobody reads it any more (a closed
    # terminal or pipe, a full disk), the work goes on in silence.
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
