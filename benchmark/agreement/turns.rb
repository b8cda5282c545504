# frozen_string_literal: true

require_relative "row"

module Mohs
  # Turns of wrk and `mohs load` on servers of a cohort.
  class AgreementTurns
    # Seconds of a turn, and of one on a server that serves fewer requests a second: wrk does not
    # count those in progress at its end.
    SECONDS = 3
    SECONDS_OF_A_SLOW = 10
    SLOW_PER_S = 100
    TOOLS = %i[wrk load].freeze

    def initialize
      @turns = Hash.new { |all, variant| all[variant] = TOOLS.to_h { |tool| [tool, []] } }
      @slices = Hash.new { |all, variant| all[variant] = [] }
    end

    # Requests per second of each turn by variant and tool, and of the slices beside it (`run`): as
    # they are once the cohort is over, since some are computed only then (Cohort::ComputedRates).
    #: () -> Hash[String, Hash[Symbol, Array[Float]]]
    def rates
      @turns.to_h do |variant, turns|
        run = @slices[variant].map { |slices| Load.rate_per_s(slices.map(&:result)) }
        [variant, { **turns, run: }]
      end
    end

    # One turn of each tool on each server, and what the block does, the slices of this number, in
    # a random order: a host may get slower with each second of load.
    #: (Integer, Array[Trial]) { () -> void } -> void
    def around(block, trials)
      [*TOOLS.product(trials), nil].shuffle.each do |tool, trial|
        next yield unless tool

        @turns[trial.name][tool] << send(tool, trial.target, seconds(trial))
      end
      trials.each do |trial|
        @slices[trial.name] << trial.samples.select { |sample| sample.block == block }
      end
    end

    private

    def seconds(trial) = trial.warm_up.rate < SLOW_PER_S ? SECONDS_OF_A_SLOW : SECONDS

    def wrk(target, seconds)
      output = AgreementRow.capture("wrk", "-t1", "-c#{target.connections}", "-d#{seconds}s",
                                    "--timeout", "60s", *headers(target, "-H"), url(target))
      output[%r{Requests/sec: +([\d.]+)}, 1].to_f
    end

    def load(target, seconds)
      AgreementRow.mohs("load", url(target), "-c", target.connections.to_s, "-d", "#{seconds}s",
                        *headers(target, "--header"))["rate_per_s"]
    end

    def headers(target, option)
      target.requests.first.headers.to_h.flat_map { |name, value| [option, "#{name}: #{value}"] }
    end

    def url(target) = "http://127.0.0.1:#{target.port}#{target.requests.first.path}"
  end

  # A cohort's session in which the turns are taken.
  module AgreementSession
    class << self
      attr_accessor :turns
    end

    private

    def run_block(block, ...)
      AgreementSession.turns.around(block, alive) { super }
    end
  end
end
