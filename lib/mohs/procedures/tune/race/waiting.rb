# frozen_string_literal: true

module Mohs
  module Tune
    # How long a request waits (for a database, say) where a process of one thread serves it
    # alone: `share`, of its time. `fit`: how many such requests fit into a process at a time: its
    # threads compute one at a time, or one on each core without a GVL. `hardly`: under a GVL, the
    # share is less than LEAST. Pure.
    class Waiting < Struct.new(:share, :fit, :hardly, keyword_init: true)
      include Value

      # Shares: with more than MOST a request would wait forever, with less than LEAST it hardly
      # waits.
      MOST = 0.99
      LEAST = 0.1
      private_constant :MOST, :LEAST

      # trials: those of the setting of one process and one thread, in the race. cores: those that
      # the server may use, nil if unknown. nil if the trials lack the figures.
      #: (Array[Store::Trial], cores: Numeric?) -> Tune::Waiting?
      def self.of(trials, cores:)
        shares = trials.filter_map { |trial| share(trial) }
        return if shares.empty?

        locked = Demand.locked?(trials)
        computing = locked ? 1 : cores
        share = Stats::Center.median(shares).clamp(0.0, MOST)
        new(share:, fit: computing / (1 - share), hardly: locked && share < LEAST) if computing
      end

      def self.share(trial)
        rate, used_us = Analysis::Figures.new(trial).throughput_per_s, used_us(trial)
        1 - (rate * used_us / 1e6) if rate && used_us
      end

      # A request's CPU time and its wait for a core, which is not the request's own waiting.
      def self.used_us(trial)
        cpu_us = Analysis::Figures.new(trial).cpu_us_per_request
        first, *, last = trial.readings
        return cpu_us unless cpu_us && last

        waited_ns = [first, last].map { |one| one.kernel[:cpu_wait_ns] }
        good = last.good - first.good
        return cpu_us unless waited_ns.all? && good.positive?

        cpu_us + ((waited_ns.last - waited_ns.first) / 1000.0 / good)
      end
      private_class_method :share, :used_us
    end
  end
end
