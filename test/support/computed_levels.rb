# frozen_string_literal: true

require_relative "../../rakelib/support/crossing"

# Levels for Mohs::Stats::Sequential with any looks and any alpha, computed in half a second.
module ComputedLevels
  def self.two_sided(alpha, looks) = Crossing.level(alpha, looks)

  def self.one_sided(alpha, looks) = two_sided(2 * alpha, looks) / 2
end
