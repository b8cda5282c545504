# frozen_string_literal: true

require_relative "noise"

# A made-up run, as the store returns it: variants of known speed, with seeded noise.
class SampleResult
  LATENCY = {
    kind: "service", count: 2000, p50_ns: 580_000, p90_ns: 900_000, p99_ns: 1_310_000,
    p999_ns: 4_000_000, max_ns: 9_200_000,
  }.freeze
  CHECKS = [{ name: "little_law", ok: true, level: "ok", detail: "holds: 0.3 %" }].freeze
  ANSWERS = [{ request: "GET /", status: 200, length: 4507, kind: "body", note: nil }].freeze
  ATTESTED = {
    interpreter: "ruby 3.1.2p20", engine: "ruby", jit: "off", workers: 1, threads: 5,
    malloc: "glibc", unattested: [],
  }.freeze
  MEMORY = {
    after_boot: { rss_bytes: 30_000_000, pss_bytes: 25_000_000, peak_rss_bytes: 31_000_000 },
    at_end: { rss_bytes: 33_000_000, pss_bytes: 28_000_000, peak_rss_bytes: 35_000_000 },
  }.freeze
  FACTS = {
    attested: ATTESTED, checks: CHECKS, latency: LATENCY, answers: ANSWERS, memory: MEMORY,
    connections: { asked: 4, opened: 4, lost: 0, served: 4 },
  }.freeze
  INVOCATIONS = Hash.new do |all, command|
    all[command] = Mohs::Typed.invocation("--get", "/products", command:).to_h
  end

  # Says in these cohorts of a result for which share of the time the driver had no core. shares: {
  # variant => the share in each round }.
  def self.let_wait(cohorts, shares)
    cohorts.each_with_index do |cohort, round|
      cohort[:trials].each do |trial|
        share = shares[trial[:variant].to_sym]&.at(round) or next
        code = share.zero? ? "driver_waits.seldom" : "driver_waits.often"
        trial[:checks] = [{ name: "driver_waits", ok: share.zero?, level: "ok", code:,
                            values: { share:, preempted: 1 } }]
      end
    end
  end

  # rates: { variant => requests/s }, the baseline first. boot_sd and block_sd: sds of the
  # logarithms. command: the one that was typed.
  def initialize(rates, rounds: 3, blocks: 10, boot_sd: 0.003, block_sd: 0.01, seed: 1,
                 command: "run")
    @rates = rates
    @rounds = rounds
    @blocks = blocks
    @boot_sd = boot_sd
    @block_sd = block_sd
    @noise = Noise.new(seed)
    @command = command
  end

  def to_h
    cohorts = Array.new(@rounds) { |index| cohort(index + 1) }
    { run: run, cohorts: }
  end

  def run
    { id: 1, key: "7c1a", state: "finished", app: "/home/someone/shop", created_ms: 1_000,
      finished_ms: 111_000, study:, plan:, fingerprint: { cores: 2 },
      provenance: { seed: 8412, argv: %w[--get /products], invocation:,
                    versions: { mohs: "0.1.0" } } }
  end

  def invocation = INVOCATIONS[@command]

  def requests = [Mohs::App::Request.build(method: "get", path: "/products").to_h]

  def study
    variants = @rates.keys.map { |name| { name:, refusal: nil, env: {} } }
    { app: "/home/someone/shop", requests:, env: {}, baseline: @rates.keys.first,
      variants: }
  end

  def plan
    cohorts = Array.new(@rounds) do |index|
      { round: index + 1, baseline: @rates.keys.first, variants: @rates.keys }
    end
    { seed: 8412, rounds: @rounds, cohorts:, dropped: [] }
  end

  def cohort(round, names = @rates.keys)
    { round:, state: "done", host: { foreign_cpu_share: 0.03, steal_share: 0.0 },
      trials: names.map { |name| trial(name) } }
  end

  def trial(name, rate = @rates.fetch(name))
    rate *= Math.exp(@noise.normal * @boot_sd)
    { variant: name, state: "measured", reason: nil, log_tail: nil, facts: FACTS,
      boot_ns: (300_000_000 * Math.exp(@noise.normal * 0.01)).round,
      slices: [warm_up, *Array.new(2 * @blocks) { |index| slice(index / 2, rate) }] }
  end

  def failed(name, state: "refused", reason: "no answer within 60 s of its start")
    { variant: name, state:, reason:, log_tail: "line one\nline two\n", boot_ns: nil, facts: {},
      slices: [] }
  end

  def slice(block, rate)
    good = 1000
    wall_ns = (good * 1e9 / (rate * Math.exp(@noise.normal * @block_sd))).round
    { block:, position: 0, wall_ns:, sent: good, good:, errors: {},
      latency_sum_ns: 4 * wall_ns, p50_ns: 4 * wall_ns / good, cpu_ns: (wall_ns * 0.9).round,
      driver_cpu_ns: wall_ns / 10 }
  end

  # A slice that is far too slow, and has to be left out of everything.
  def warm_up = slice(nil, 1.0)
end
