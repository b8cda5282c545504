# frozen_string_literal: true

# How fast the requests of a trial are folded into a percentile curve and a heat map, and how much
# memory that takes: `bin/setup && ruby -r./vendor/bundle/bundler/setup.rb -Ilib benchmark/fold.rb
# [RECORDS]`. Goal: 100 million in 10 s and 1 GB. (10 million, the default, take a tenth.)
require "mohs"
require "tmpdir"
require_relative "synthetic_records"

# Folds records out of a store, as a report does.
class FoldBenchmark
  DRAWN = 262_144 # drawn one by one in Ruby; larger counts repeat them, which no frame can notice
  SHARES = Array.new(61) { |step| 1 - (10**(-step / 10.0)) }.freeze
  ROWS = Array.new(121) { |row| (10**row.fdiv(10)).ceil }.freeze
  COLUMNS = 60
  ROUNDS = 3
  CPU = Process::CLOCK_PROCESS_CPUTIME_ID

  #: (Mohs::Store, count: Integer) -> void
  def initialize(store, count:)
    @store = store
    @count = count
  end

  #: () -> void
  def call
    trial = fill
    before = memory
    puts "#{@count} requests, best and worst of #{ROUNDS}"
    show("elapsed", Array.new(ROUNDS) { seconds { fold(trial) } })
    show("CPU time", Array.new(ROUNDS) { seconds(CPU) { fold(trial) } })
    puts "peak memory #{memory} MB, #{before} MB of it before"
  end

  private

  # Writes a trial with so many requests.
  def fill
    packed = SyntheticRecords.new(connections: 32, service_ns: 1_500_000, spread: 0.35).take(DRAWN)
    encoded = Mohs::Core::Codec.encode(packed)
    specs = [{ round: 1, position: 0, variants: ["a"] }]
    run = @store.create_run(study: { app: "/", requests: [], variants: [], env: {} },
                            plan: { cohorts: specs }, fingerprint: {}, provenance: {})
    trial = @store.start_trial(@store.cohorts(run.id).first.id, "a")
    (@count / DRAWN).times { @store.add_observations(trial, encoded, DRAWN) }
    rest = @count % DRAWN
    head = packed.byteslice(0, rest * 32)
    @store.add_observations(trial, Mohs::Core::Codec.encode(head), rest) if rest.positive?
    @longest_ns = packed.unpack("@#{packed.bytesize - 32}Q").first & ((1 << 48) - 1)
    trial
  end

  def fold(trial)
    edges = Array.new(COLUMNS + 1) { |edge| edge * @longest_ns / COLUMNS }
    fold = Mohs::Load::Fold.new(:service, edges:, rows: ROWS)
    @store.each_observations(trial) { |part| fold.add(part) }
    raise "#{fold.size} folded" unless fold.size == @count

    [fold.ranked(SHARES), fold.cells]
  end

  # One thread does all the work, so on an idle machine it takes as long as its CPU time.
  def seconds(clock = Process::CLOCK_MONOTONIC)
    start = Process.clock_gettime(clock)
    yield
    Process.clock_gettime(clock) - start
  end

  def show(name, times)
    puts format("%-9<name>s %<low>.2f - %<high>.2f s, %<millions>.1f million per second at best",
                name:, low: times.min, high: times.max, millions: @count / times.min / 1e6)
  end

  # The peak memory of this process so far, in MB.
  def memory = File.read("/proc/self/status")[/^VmHWM:\s+(\d+)/, 1].to_i / 1024
end

Dir.mktmpdir("mohs-benchmark") do |folder|
  store = Mohs::Store.open(ENV.fetch("MOHS_DATABASE_URL", File.join(folder, "mohs.db")))
  FoldBenchmark.new(store, count: Integer(ARGV.fetch(0, 10_000_000))).call
ensure
  store&.close
end
