# frozen_string_literal: true

# How fast observations are written to the store, end to end (encoded, inserted, committed), and
# read back: `bin/setup && ruby -r./vendor/bundle/bundler/setup.rb -Ilib benchmark/store.rb
# [RECORDS]`. Goals: 5 million requests per second written, 6 bytes each. MOHS_DATABASE_URL measures
# PostgreSQL.
require "mohs"
require "tmpdir"
require_relative "synthetic_records"

# Each recording: its name, and the parameters of the closed loop.
class StoreBenchmark
  CASES = {
    "hello, 5 connections" => { connections: 5, service_ns: 250_000, spread: 0.25 },
    "hello, 32 connections" => { connections: 32, service_ns: 1_500_000, spread: 0.35 },
    "Rails, 4 connections" => { connections: 4, service_ns: 8_000_000, spread: 0.5 },
  }.freeze
  DRAWN = 262_144 # drawn one by one in Ruby; larger counts repeat them, which no frame can notice
  ROUNDS = 5

  #: (Mohs::Store, count: Integer) -> void
  def initialize(store, count:)
    @store = store
    @count = count
    specs = [{ round: 1, position: 0, variants: CASES.keys }]
    study = { app: "/", requests: [], variants: [], env: {} }
    plan = { cohorts: specs }
    run = store.create_run(study: study, plan: plan, fingerprint: {}, provenance: {})
    @cohort_id = store.cohorts(run.id).first.id
  end

  #: () -> void
  def call
    puts "#{@count} records, best and worst of #{ROUNDS}; millions per second", ""
    row("", "bytes each", "encode", "encode + write", "read + decode")
    CASES.each { |name, options| measure(name, packed(options)) }
  end

  private

  def packed(options)
    drawn = SyntheticRecords.new(**options).take([DRAWN, @count].min)
    (drawn * (@count.to_f / DRAWN).ceil).byteslice(0, @count * 32)
  end

  def measure(name, records)
    bytes = nil
    rounds = Array.new(ROUNDS) do
      trial = @store.start_trial(@cohort_id, name)
      encoded, encoding_s = timed { Mohs::Core::Codec.encode(records) }
      _, writing_s = timed { @store.add_observations(trial, encoded, @count) }
      decoded, reading_s = timed { Mohs::Core::Codec.decode(@store.observations(trial)) }
      raise "#{name}: what was read differs from what was written" unless decoded == records

      bytes = encoded.bytesize
      [encoding_s, encoding_s + writing_s, reading_s]
    end
    row(name, format("%.2f", bytes.to_f / @count), *rounds.transpose.map { |times| rates(times) })
  end

  def row(*cells) = puts(format("%-24s %10s %15s %15s %15s", *cells))

  def timed
    start = Mohs::Clock.mono_ns
    [yield, (Mohs::Clock.mono_ns - start) / 1e9]
  end

  def rates(times) = times.minmax.map { |time| format("%.1f", @count / time / 1e6) }.join(" - ")
end

Dir.mktmpdir("mohs-benchmark") do |folder|
  store = Mohs::Store.open(ENV.fetch("MOHS_DATABASE_URL", File.join(folder, "mohs.db")))
  StoreBenchmark.new(store, count: Integer(ARGV.fetch(0, 5_000_000))).call
ensure
  store&.close
end
