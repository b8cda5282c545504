# frozen_string_literal: true

require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "mohs"

module Mohs
  # Are differences as often below 0 as above it? The two-sided sign test.
  class AgreementSigns
    #: (Array[Float]) -> void
    def initialize(differences)
      @differences = differences
    end

    # The chance of as many on one side, or more, if both are equally likely.
    #: () -> Float
    def p
      all = @differences.size
      most = [below, all - below].max
      [2 * Stats::Beta.regularized(0.5, most, all - most + 1), 1.0].min
    end

    #: () -> String
    def to_s
      return "" if @differences.empty?

      format("%+.1f %% (%d of %d below, p %.2g)", 100 * Stats::Center.median(@differences), below,
             @differences.size, p)
    end

    private

    def below = @differences.count(&:negative?)
  end
end
