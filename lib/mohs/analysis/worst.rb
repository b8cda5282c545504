# frozen_string_literal: true

module Mohs
  module Analysis
    # The checks of several trials as one list: of each check the worst `finding`, and how many of
    # the `trials` had one as bad (`alike`).
    class Worst < Struct.new(:finding, :alike, :trials, keyword_init: true)
      include Value

      #: (Array[Store::Trial]) -> Array[Analysis::Worst]
      def self.of(trials)
        findings = trials.flat_map { |trial| Checks.of(trial) }
        findings.group_by(&:member).values.map do |same|
          finding = same.max_by(&:rank)
          new(finding:, alike: same.count { |one| one.rank == finding.rank }, trials: same.size)
        end
      end

      # Do the trials disagree on something that did not pass?
      #: () -> bool
      def disputed? = finding.severity != :ok && alike < trials

      # Is it the host's doing rather than the application's? A trend in fewer than half of the
      # trials is.
      #: () -> bool
      def chance? = finding.member == "trend" && disputed? && alike * 2 < trials
    end
  end
end
