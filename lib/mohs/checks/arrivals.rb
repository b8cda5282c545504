# frozen_string_literal: true

module Mohs
  module Checks
    # Requests of an open loop that left otherwise than they fell due, in clumps say, load a server
    # otherwise than was asked for.
    class Arrivals < Base
      # What the index of dispersion should be (Load::Dispersion), and by how much it may be off
      # beside chance: a clump of one request in ten of a window is no other load.
      WANTED = { "poisson" => 1.0, "constant" => 0.0 }.freeze
      TOLERANCE = 0.1
      # Under Poisson arrivals windows x index is distributed as chi-square of so many degrees: its
      # standard deviation is sqrt(2 x windows). So many of these are chance.
      DEVIATIONS = 4

      private

      def needs = %i[arrivals]

      def judge
        return pass("dispersion #{told}") if (index - wanted).abs <= allowed

        warn("the requests did not leave as they fell due: their dispersion is #{told}. The load " \
             "was another than the one asked for; give the driver a core of its own")
      end

      def told = "#{format('%.2f', index)} of #{format('%.0f', wanted)}, in #{windows} windows"

      def index = @facts[:arrivals][:index]

      def windows = @facts[:arrivals][:windows]

      def wanted = WANTED.fetch(@facts[:arrivals][:kind])

      # Even arrivals leave nothing to chance.
      def allowed = TOLERANCE + (DEVIATIONS * wanted * Math.sqrt(2.0 / windows))
    end
  end
end
