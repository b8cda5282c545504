# frozen_string_literal: true

require_relative "testers"

module Testers
  # What a tester reports beside the truth. Pairs are [what it reports or nil, the truth]; times in
  # ms.
  #   problem      why there are no figures; or nil
  #   step_ns      the smallest step in which it prints times
  #   connections  [asked for, opened, used]
  #   mb           MB of memory for a million requests
  Row = Struct.new(:name, :problem, :per_s, :p50, :p90, :p99, :max, :step_ns, :errors, :connections,
                   :mb, keyword_init: true)

  # Has testers send three loads each: two of different lengths as fast as they can, which show
  # rate and memory, and one whose times and errors are known.
  class Comparison
    FAST = { connections: 32, threads: 1 }.freeze
    # The number of connections can't be divided by the number of threads.
    KNOWN = { connections: 14, threads: 3, requests: 2800 }.freeze
    TIMES = { delay_ns: 1_000_000, slow_ns: 40_000_000, nth_slow: 50, nth_error: 64 }.freeze
    SHARES = { p50: 0.5, p90: 0.9, p99: 0.99, max: 1.0 }.freeze

    Problem = Class.new(StandardError)

    # requests: of the longer fast load; the shorter one has a tenth of them.
    def initialize(truth, requests: 160_000, limit_s: 60)
      @truth = truth
      @requests = requests
      @limit_s = limit_s
    end

    def call(tool)
      tool.verify
      short, long = [@requests / 10, @requests].map { |count| fast(tool, count) }
      known = known(tool)
      Row.new(name: tool.name, per_s: [long.report.per_s, long.counts.per_s],
              step_ns: [short, long, known].map { |one| one.report.step }.compact.min,
              mb: growth(short, long), **beside_truth(known))
    rescue StandardError => error
      Row.new(name: tool.name, problem: error.message.lines.first.chomp)
    end

    private

    # What one load gave: the tester's report, the server's counts and times, the peak memory.
    Seen = Struct.new(:report, :counts, :times, :memory_kb, keyword_init: true)

    def fast(tool, requests)
      send_load(tool, requests: requests, **FAST)
    end

    def known(tool)
      threads = tool.threads? ? KNOWN[:threads] : 1
      send_load(tool, order: TIMES, **KNOWN, threads: threads)
    end

    def send_load(tool, order: {}, **load)
      @truth.start(target: tool.counts? ? 0 : load[:requests], **order)
      runner = tool.runner(@truth, stop: :INT, memory: true)
      life = runner.call(Load.new(port: @truth.port, limit_s: @limit_s, **load))
      raise Problem, "#{Bench::WORDS.fetch(life.status)} (#{life.output.lines.last.to_s.chomp})" \
        if life.status != :ok

      Seen.new(report: tool.read(life.output), counts: @truth.counts, times: order.any? && times,
               memory_kb: life.memory_kb)
    ensure
      runner&.close
    end

    # In ms, ascending.
    def times
      @truth.answers.map { |came, left| (left - came) / 1e6 }.sort
    end

    def beside_truth(known)
      pairs = SHARES.to_h do |name, share|
        [name, [known.report[name], known.times[(share * known.times.size).ceil - 1]]]
      end
      counts = known.counts
      { **pairs, errors: [known.report.errors, counts.errors],
        connections: [KNOWN[:connections], counts.opened, counts.used] }
    end

    # nil unless the peak memory of both loads is known; a load may end before it is read.
    def growth(short, long)
      return unless short.memory_kb && long.memory_kb

      requests = long.counts.answered - short.counts.answered
      (long.memory_kb - short.memory_kb) * 1024.0 / requests
    end
  end
end
