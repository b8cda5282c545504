# frozen_string_literal: true

# How long a list of many runs takes: `bin/setup && ruby
# -r./vendor/bundle/bundler/setup.rb -Ilib benchmark/listing.rb [RUNS]`. Goal: 2,000 runs in less
# than 100 ms. MOHS_DATABASE_URL measures PostgreSQL, in a database that is made for it.
require "mohs"
require "tmpdir"

# A store of made-up runs, as large as real ones: a study of some 8 KB (six variants, four requests,
# a lock file's gems in the environment) and a plan of 4 KB (20 cohorts).
class ListingBenchmark
  ROUNDS = 7
  RUBIES = %w[3.1.2 3.2.4 3.3.6 3.4.5 jruby-9.4 truffleruby-24].freeze

  #: (Mohs::Store, count: Integer) -> void
  def initialize(store, count:)
    @store = store
    @count = count
  end

  #: () -> void
  def call
    fill
    puts "#{@count} runs, best and worst of #{ROUNDS}, in ms", ""
    measure("every run, with study and plan") { @store.runs.size }
    measure("mohs list") { [@store.listed(limit: Mohs::CLI::List::NEWEST), @store.count_runs] }
    measure("mohs list --all") { @store.listed.size }
    measure("mohs list --app shop-1") { @store.listed(apps: ["/srv/shop-1"]).size }
  end

  private

  def fill
    @store.transaction do
      @count.times do |index|
        run = @store.create_run(study: study("/srv/shop-#{index % 20}"), plan:,
                                fingerprint: { cpu: "made up", cores: 8 },
                                provenance: { seed: index, argv: %w[run], versions: {} })
        @store.finish_run(run.id, "finished")
      end
    end
  end

  def study(app)
    requests = Array.new(4) do |number|
      Mohs::App::Request.build(path: "/products/#{number}", body: "name=#{'x' * 200}")
    end
    variants = RUBIES.map do |name|
      Mohs::Study::Variant.new(name:, ruby: name, server: "puma", processes: 1, threads: 5,
                               env: { "GEMS" => "rack 3.1.8, " * 60 })
    end
    Mohs::Study.new(app:, requests:, variants:, baseline: RUBIES.first, env: {}, seed: 1)
  end

  def plan
    cohorts = Array.new(20) do |position|
      { round: 1, position:, baseline: RUBIES.first, variants: RUBIES, estimate_s: 12.5,
        scheme: "turns", solo: false, seed: position }
    end
    @plan ||= { seed: 1, cohorts: }
  end

  def measure(name)
    times = Array.new(ROUNDS) do
      start = Mohs::Clock.mono_ns
      yield
      (Mohs::Clock.mono_ns - start) / 1e6
    end
    puts format("%-32s %8.1f - %.1f", name, *times.minmax)
  end
end

Dir.mktmpdir("mohs-benchmark") do |folder|
  store = Mohs::Store.open(ENV.fetch("MOHS_DATABASE_URL", File.join(folder, "mohs.db")))
  ListingBenchmark.new(store, count: Integer(ARGV.fetch(0, 2_000))).call
ensure
  store&.close
end
