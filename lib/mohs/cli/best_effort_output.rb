# frozen_string_literal: true

require "delegate"

module Mohs
  class CLI
    # The stream for progress and remarks besides the result. If nobody reads it any more (a closed
    # terminal or pipe, a full disk), the work continues silently.
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
