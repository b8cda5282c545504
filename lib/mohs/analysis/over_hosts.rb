# frozen_string_literal: true

module Mohs
  module Analysis
    # How a variant's ratio to the baseline holds across the hosts of a fleet: `hosts`, each by
    # itself; `interval` of the ratio on hosts like these (without ends for fewer than three: two
    # hosts say nothing about a third); and `apart`, names of hosts that differ from the others
    # beyond chance. The verdict of a run is about its own hosts.
    class OverHosts < Struct.new(:hosts, :interval, :apart, keyword_init: true)
      include Value

      # `interval` of the ratio there; all hosts' hold jointly at the run's level. `outcome` is
      # :faster, :slower, or :undecided.
      Host = Struct.new(:name, :cohorts, :interval, :outcome, keyword_init: true) do
        include Value
      end

      # differences: [name of the host, log difference of a cohort (better is bigger)]. bias: that
      # of Stats::Effect. Returns nil for fewer than two hosts.
      #: (Array[[String, Float]], alpha: Float, ?bias: Float) -> Analysis::OverHosts?
      def self.of(differences, alpha:, bias: 0.0)
        groups = differences.group_by(&:first).transform_values { |own| own.map(&:last) }
        return if groups.size < 2

        level = Stats::RandomLevel.new(groups.sort.to_h)
        hosts = level.effects.map do |name, effect|
          interval = effect.biased(bias).interval(alpha: alpha / groups.size)
          Host.new(name:, cohorts: effect.count, interval:,
                   outcome: Verdict::Judge.outcome(interval) { false })
        end
        new(hosts:, interval: level.overall.biased(bias).interval(alpha:),
            apart: level.apart(alpha:))
      end

      # Names of the hosts by their own outcome: { faster: ["a", "c"], undecided: ["b"] }.
      #: () -> Hash[Symbol, Array[String]]
      def outcomes = hosts.group_by(&:outcome).transform_values { |own| own.map(&:name) }
    end
  end
end
