# frozen_string_literal: true

# How long `mohs report` takes for a page of a run with very many recorded requests, and how much
# memory: `bin/setup && ruby -r./vendor/bundle/bundler/setup.rb -Ilib benchmark/report.rb
# [REQUESTS]`. Goal: 100 million (the default) in 10 s and 1 GB; the store is then a file of 0.5
# GB.
require "mohs"
require "tmpdir"
require_relative "synthetic_records"

# Four variants in five rounds that share the requests.
class ReportBenchmark
  VARIANTS = { "3.1.2" => 1200, "3.1.2 --yjit" => 1420, "3.4.5" => 1241, "3.4.5 --yjit" => 1652 }
             .freeze
  ROUNDS = 5
  DRAWN = 262_144 # drawn one by one in Ruby; larger counts repeat them, which no frame can notice
  LOOK_S = 0.01
  FORMATS = %w[html markdown csv].freeze

  #: (String, count: Integer) -> void
  def initialize(folder, count:)
    @folder = folder
    @count = count
  end

  #: () -> void
  def call
    key = fill
    size = File.size(database) / 1_000_000
    puts "#{@count} requests in #{VARIANTS.size * ROUNDS} boots, a store of #{size} MB"
    FORMATS.each { |format| show(format, *report(key, format)) }
  end

  private

  def database = File.join(@folder, "mohs.db")

  # Writes a run with so many requests and returns its key.
  def fill
    store = Mohs::Store.open(database)
    cohorts = Array.new(ROUNDS) { |at| { round: at + 1, position: at, variants: VARIANTS.keys } }
    run = store.create_run(study:, plan: { cohorts: }, fingerprint: {}, provenance: {})
    store.cohorts(run.id).each { |cohort| fill_cohort(store, cohort) }
    store.finish_run(run.id, "finished")
    run.key
  ensure
    store&.close
  end

  def study
    variants = VARIANTS.keys.map { |name| { name:, refusal: nil, env: {} } }
    requests = [Mohs::App::Request.build(path: "/products").to_h]
    { app: "/shop", requests:, env: {}, baseline: VARIANTS.keys.first, variants: }
  end

  def fill_cohort(store, cohort)
    store.claim(cohort.id, Mohs::Cohort::Token.own)
    VARIANTS.each { |name, rate| fill_trial(store, store.start_trial(cohort.id, name), rate) }
    store.finish_cohort(cohort.id, "done", host: {})
  end

  def fill_trial(store, trial, rate)
    each = @count / (VARIANTS.size * ROUNDS)
    packed = records(rate)
    parts = [each / DRAWN, 1].max
    size = [each, DRAWN].min
    encoded = Mohs::Core::Codec.encode(packed.byteslice(0, size * 32))
    parts.times { store.add_observations(trial, encoded, size) }
    store.finish_trial(trial, state: "measured", boot_ns: 300_000_000, requests: parts * size)
    store.add_slices(trial, slices(parts * size, rate))
  end

  def records(rate)
    @records ||= {}
    @records[rate] ||= SyntheticRecords.new(connections: 4, service_ns: 4_000_000_000 / rate,
                                            spread: 0.35).take(DRAWN)
  end

  # The slices of one block, as long as the requests took.
  def slices(count, rate)
    wall_ns = (count * 1e9 / rate).round
    [{ block: 0, position: 0, started_ns: 0, wall_ns:, sent: count, completed: count, good: count,
       bytes: count * 12, latency_sum_ns: wall_ns * 4, p50_ns: 4_000_000_000 / rate,
       max_ns: 40_000_000_000 / rate, cpu_ns: wall_ns, driver_cpu_ns: wall_ns / 20, errors: {} }]
  end

  # [seconds, peak memory in MB] of the command.
  def report(key, format)
    argv = [File.join(Mohs.root, "bin/mohs"), "report", key, "--format", format, "-o",
            File.join(@folder, "page.#{format}")]
    start = Mohs::Clock.mono_ns
    pid = Process.spawn({ "MOHS_DATABASE_URL" => database }, *argv, err: File::NULL)
    peak_kb = 0
    until (_, status = Process.wait2(pid, Process::WNOHANG))
      peak_kb = [peak_kb, memory_kb(pid)].max
      sleep LOOK_S
    end
    raise "mohs report --format #{format} failed" unless status.success?

    [(Mohs::Clock.mono_ns - start) / 1e9, peak_kb / 1024]
  end

  # The peak memory so far of the process, or of the program that it has become.
  def memory_kb(pid) = File.read("/proc/#{pid}/status")[/^VmHWM:\s+(\d+)/, 1].to_i

  def show(name, seconds, megabytes)
    puts format("%-9<name>s %<seconds>.1f s, %<megabytes>d MB", name:, seconds:, megabytes:)
  end
end

Dir.mktmpdir("mohs-benchmark") do |folder|
  ReportBenchmark.new(folder, count: Integer(ARGV.fetch(0, 100_000_000))).call
end
