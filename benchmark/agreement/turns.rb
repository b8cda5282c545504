# frozen_string_literal: true

require_relative "row"

module Mohs
  # Turns of wrk and `mohs load` on servers of a cohort.
  class AgreementTurns
    # Seconds of a turn.
    SECONDS = 3
    TOOLS = %i[wrk load].freeze

    # Requests per second of each turn by variant and tool, and of the slices after it (`run`).
    attr_reader :rates

    def initialize
      @rates = Hash.new do |all, variant|
        all[variant] = [*TOOLS, :run].to_h { |tool| [tool, []] }
      end
    end

    # One turn of each tool on each server, in a random order, and then what the block does: the
    # slices of this number.
    #: (Integer, Array[Trial]) { () -> void } -> void
    def before(block, trials)
      TOOLS.product(trials).shuffle.each do |tool, trial|
        @rates[trial.name][tool] << send(tool, trial.target)
      end
      yield
      trials.each do |trial|
        slices = trial.samples.select { |sample| sample.block == block }
        @rates[trial.name][:run] << Load.rate_per_s(slices.map(&:result))
      end
    end

    private

    def wrk(target)
      output = AgreementRow.capture("wrk", "-t1", "-c#{target.connections}", "-d#{SECONDS}s",
                                    "--timeout", "60s", *headers(target, "-H"), url(target))
      output[%r{Requests/sec: +([\d.]+)}, 1].to_f
    end

    def load(target)
      AgreementRow.mohs("load", url(target), "-c", target.connections.to_s, "-d", "#{SECONDS}s",
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
      AgreementSession.turns.before(block, alive) { super }
    end
  end
end
