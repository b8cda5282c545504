# frozen_string_literal: true

# How long pages of the dashboard take with a store of many runs: `bin/setup && nice ruby
# -r./vendor/bundle/bundler/setup.rb -Ilib -Itest benchmark/web.rb [RUNS]`. The goal: under 100 ms
# with 2,000 runs. No socket, no browser: the application is called as a server would. The first
# call of a page is reported separately, since it reads what later ones remember.
require "mohs"
require "rack/mock"
require "tmpdir"
%w[noise sample_result sample_history stored stored_result].each do |name|
  require_relative "../test/support/#{name}"
end

# Fills a store, then calls each page again and again.
class WebBenchmark
  RUNS = 2000
  TIMES = 15
  RATES = { "3.1.2" => 1200, "3.1.2 --yjit" => 1420, "3.4.5" => 1250,
            "3.4.5 --yjit" => 1652 }.freeze
  HEADERS = { "HTTP_HOST" => "localhost" }.freeze

  #: (Mohs::Store, count: Integer) -> void
  def initialize(store, count:)
    @store = store
    @count = count
    @app = Mohs::Web::App.of(results: Mohs::Web::Results.new(store), streams: Mohs::Web::Streams.new,
                             port: Mohs::Web::PORT)
  end

  #: () -> void
  def call
    fill
    puts "| page | first, ms | median, ms | slowest, ms |", "|---|---|---|---|"
    pages.each { |name, path| measure(name, path) }
  end

  private

  # Most runs are small, so that it takes a minute and not an hour: a list reads the same of each.
  def fill
    result = SampleResult.new(RATES, blocks: 5).to_h
    small = { **result, cohorts: result[:cohorts].map { |one| { **one, trials: [] } } }
    (@count - 1).times do |index|
      run = Mohs::StoredResult.write(@store, { **small, cohorts: [] })
      @store.label_run(run.id, "run #{index}") if (index % 10).zero?
    end
    @run = Mohs::StoredResult.write(@store, result)
    add_history
  end

  def add_history
    ids = @store.runs.map(&:id)
    SampleHistory.points(SampleHistory.steps([100, 0.0], [100, -0.03])).zip(ids) do |point, run_id|
      @store.add_point("shop", run_id:, at_ms: point.at_ms,
                               **point.to_h.except(:id, :track, :run_id, :at_ms))
    end
  end

  def pages
    key = @run.key
    { "runs, first page" => "/", "runs, last page" => "/?page=#{(@count / 50.0).ceil}",
      "runs, filtered" => "/?state=finished&app=#{URI.encode_www_form_component(@run.app)}",
      "a run" => "/runs/#{key}", "two compared" => "/runs/#{key}/compare",
      "its logs" => "/runs/#{key}/logs", "as JSON" => "/runs/#{key}/download/json",
      "a history of 200 points" => "/histories/shop", "studies" => "/studies",
      "a study" => "/studies/gc-compact" }
  end

  def measure(name, path)
    first, *others = Array.new(TIMES) do
      began_ns = Mohs::Clock.mono_ns
      status = Rack::MockRequest.new(@app).get(path, HEADERS).status
      raise "#{path}: #{status}" unless status == 200

      (Mohs::Clock.mono_ns - began_ns) / 1e6
    end
    middle = others.sort[others.size / 2]
    puts format("| %s | %.0f | %.1f | %.0f |", name, first, middle, others.max)
  end
end

if $PROGRAM_NAME == __FILE__
  Dir.mktmpdir("mohs") do |folder|
    store = Mohs::Store.open(ENV.fetch("MOHS_DATABASE_URL", File.join(folder, "mohs.db")))
    WebBenchmark.new(store, count: Integer(ARGV.first || WebBenchmark::RUNS)).call
    store.close
  end
end
