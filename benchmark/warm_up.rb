# frozen_string_literal: true

# Is a server warm when Trial::WarmUp says so? Simulates servers whose cost per request falls by a
# share with each doubling of their load, in noise, and warms them up by mohs's rule. The noise is
# what hosts have (docs/method.md): "step", from step to step, and "drift", as much in each octave
# from 0.1 s to 205 s.
#
#   jvm     JRuby; the cost falls until ten minutes of load, or "settles" as JRuby 10's did: sixfold
#           at first, within 2 % of its end after 100 s. Prints how many seconds the warm-up takes
#           (median), and in parentheses how many servers are warm, but more than 10 % below what
#           they serve after ten minutes.
#   yjit    Prints how many seconds the warm-up of a CRuby with YJIT takes (median), by the length
#           of its page, and how many are warm (the others reach the limit of 30 s).
#   capped  Such servers, cut off after a time, whatever their windows say: how many are found to
#           rise, and of how many that is unknown. Of those whose cost falls by 0 %, the former are
#           false alarms.
#
#   foretold  JVMs that settle, cut off after a time: when they are said to be warm, and in
#           parentheses of how many that is unknown, beside the time after which they are found warm
#           (each the median).
#
#     ruby benchmark/warm_up.rb jvm|yjit|capped|foretold [servers]

require_relative "../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
require "mohs"
require_relative "../test/support/noise"
require_relative "../test/support/drift"

module Mohs
  # A server that is loaded until its warm-up is decided.
  class SimulatedWarmUp
    Result = Struct.new(:good, :wall_ns, :cpu_ns, :span_ns, :thread_stats, keyword_init: true)
    # The share of the CPU time that a JVM's compilers take when they have nothing to do.
    RESTING = 0.01

    attr_reader :rule, :cost_ms, :spent_s

    # The block: the cost of a request in ms after so many seconds of load and so many requests.
    def initialize(rule, step:, drift:, seed:, &cost)
      @rule = rule
      @step = step
      @noise = Noise.new(seed)
      @host = Drift.new(@noise, drift)
      @cost = cost
      @spent_s = 0.0
    end

    def load
      tell_compilers
      until (count = @rule.next).is_a?(Symbol)
        @cost_ms = @cost.call(@spent_s, @rule.requests + (count / 2.0))
        spent_s = count * @cost_ms / 1e3 * noise(count * @cost_ms / 1e3)
        @spent_s += spent_s
        tell_compilers
        ns = (spent_s * 1e9).round
        @rule << Result.new(good: count, wall_ns: ns, cpu_ns: ns)
      end
      self
    end

    def warm? = @rule.outcome == :warm

    # true, false or nil: unknown.
    def rising = @rule.to_h.fetch(:curve)[:rising]

    # Seconds of load after which it should be warm; nil: unknown.
    def warm_s = @rule.to_h.dig(:curve, :warm_s)

    private

    def tell_compilers = @rule.compilers((RESTING * @spent_s * 1e9).round)

    def noise(seconds) = Math.exp(@host.after(seconds) + (@step * @noise.normal))
  end

  # The tables: rows of noises, columns of falls.
  class WarmUps
    # [step, drift]: a quiet host, one as in docs/interpreters.md, and a worse one.
    NOISES = [[0.02, 0.0], [0.05, 0.045], [0.07, 0.1]].freeze
    FALLS = [0, 0.02, 0.04, 0.06, 0.1, :settles].freeze
    YJIT_FALLS = [0, 0.05, 0.12, 0.2, 0.3].freeze
    PAGES_MS = [0.1, 1, 15, 60].freeze
    JVM_MS = 0.2
    LONG_S = 600.0
    BELOW = 0.1
    CAPS_S = [1, 5, 30].freeze
    CAPS_OF_A_JVM_S = [30, 60, 120].freeze
    # Windows that can never agree.
    NEVER = 10_000

    def initialize(servers)
      @servers = servers
    end

    def jvm
      table([""], [[]], FALLS) do |_, noise, fall|
        cost = jvm_cost(fall)
        found = simulate(noise, -> { Trial::WarmUp.for("jruby") }) { |spent_s, _| cost.call(spent_s) }
        early = found.count { |one| one.warm? && 1 - (cost.call(LONG_S) / one.cost_ms) > BELOW }
        format("%.0f s (%s)", median(found.map(&:spent_s)), percent(early))
      end
    end

    def yjit
      table(["page"], PAGES_MS.map { |ms| [ms] }, YJIT_FALLS) do |(ms), noise, fall|
        rule = -> { Trial::WarmUp.for("ruby", jit: "yjit") }
        found = simulate(noise, rule, &yjit_cost(ms, fall))
        format("%.2f s (%s)", median(found.map(&:spent_s)), percent(found.count(&:warm?)))
      end
    end

    def capped
      table(["page", "cut off after"], PAGES_MS.product(CAPS_S), YJIT_FALLS) do |row, noise, fall|
        ms, cap_s = row
        rule = -> { Trial::WarmUp.new(Trial::WarmUp::Rule.new(windows: NEVER), cap_s:) }
        kinds = simulate(noise, rule, &yjit_cost(ms, fall)).map(&:rising)
        "#{percent(kinds.count(true))} (#{percent(kinds.count(nil))})"
      end
    end

    def foretold
      after = CAPS_OF_A_JVM_S.to_h { |cap_s| ["after #{cap_s} s", cap_s] }
      table([], [[]], [*after.keys, "found warm"]) do |_, noise, column|
        cap_s = after[column]
        found = simulate(noise, -> { Trial::WarmUp.for("jruby", cap_s:) }) do |spent_s, _|
          jvm_cost(:settles).call(spent_s)
        end
        next format("%.0f s", median(found.map(&:spent_s))) unless cap_s

        known, unknown = found.reject(&:warm?).map(&:warm_s).partition(&:itself)
        [("#{median(known).round} s" if known.any?), "(#{percent(unknown.size)})"].compact.join(" ")
      end
    end

    private

    def table(names, rows, falls)
      puts "| #{[*names, 'step, drift', *falls.map { |fall| share(fall) }].join(' | ')} |"
      rows.product(NOISES).each do |row, noise|
        cells = falls.map { |fall| yield(row, noise, fall) }
        puts "| #{[*row, noise.map { |one| share(one) }.join(', '), *cells].join(' | ')} |"
      end
    end

    def simulate((step, drift), rule, &cost)
      Array.new(@servers) do |seed|
        SimulatedWarmUp.new(rule.call, step:, drift:, seed:, &cost).load
      end
    end

    def jvm_cost(fall)
      return ->(spent_s) { JVM_MS * (1 + (5 * Math.exp(-spent_s / 18))) } if fall == :settles

      ->(spent_s) { JVM_MS * ((1 - fall)**Math.log2(spent_s.clamp(1, LONG_S) / LONG_S)) }
    end

    # After the first 16 requests. At 10 000 it is the page's.
    def yjit_cost(page_ms, fall)
      ->(_, requests) { page_ms * ((1 - fall)**Math.log2((requests + 16) / 1e4)) }
    end

    def share(value) = value.is_a?(Numeric) ? "#{format('%g', 100 * value)} %" : value.to_s

    def percent(count) = "#{(100.0 * count / @servers).round} %"

    def median(values) = Stats::Center.median(values)
  end

  table, servers = ARGV
  WarmUps.new((servers || 100).to_i).public_send(table)
end
