# frozen_string_literal: true

require_relative "cold_starts"
require_relative "compare_result"
require_relative "gated"
require_relative "published"
require_relative "sample_history"
require_relative "sample_load"
require_relative "sample_result"
require_relative "sample_tuning"

module Mohs
  # Made-up documents of every kind that pages are made from, with their curves.
  module PageDocuments
    include ColdStarts
    include Published
    include SampleLoad

    VARIANTS = { "3.1.2" => 1200, "3.1.2 --yjit" => 1420, "3.2.8" => 1190, "3.2.8 --yjit" => 1495,
                 "3.3.8" => 1206, "3.3.8 --yjit" => 1600, "3.4.5" => 1241, "3.4.5 --yjit" => 1652,
                 "3.4.5 --yjit, puma:2x5" => 1701, "3.4.5, falcon:2" => 1302, "2.7.8" => 1010,
                 "jruby-9.4, puma:1x8" => 1980 }.freeze
    JAVA = "needs Java 21, found 17: set JAVA_HOME to a Java 21, or install one"
    SPEEDS = { "yours" => 1000.0, "1x1" => 700.0, "1x3" => 990.0, "2x2" => 1200.0,
               "2x3" => 1300.0, "2x5" => 1295.0 }.freeze
    SEARCHED = { "yours" => 700.0, "1x3" => 690.0, "2x2" => 850.0, "2x3" => 900.0,
                 "2x5" => 905.0 }.freeze
    SIZES = { "yours" => 270, "1x3" => 210, "2x2" => 330, "2x3" => 400, "2x5" => 431 }.freeze
    CLAIMS = <<~YAML
      - {text: YJIT serves 25 % more, place: table 4, headline: true, ratio: {of: jit, to: new, published: 1.25, tolerance: 10 %}}
      - {text: YJIT doubles, place: p. 30, ratio: {of: jit, to: new, published: 2, tolerance: 5 %}}
      - {text: New serves more than old, place: figure 17, order: {more: new, than: old}}
      - {text: It scales, place: p. 34, not_testable: needs eight cores}
    YAML

    # requests: per boot.
    def page_run(rates = VARIANTS, requests: 1200, rounds: 3, cold: false)
      made = SampleResult.new(rates, rounds:).to_h
      record_cold_starts(made, slow: 5) if cold
      made[:run][:study][:variants] << { name: "jruby-10", refusal: nil }
      failed = SampleResult.new({}).failed("jruby-10", reason: JAVA)
      made[:cohorts].each { |cohort| cohort[:trials] << failed.dup }
      with_page_curves(made, requests)
    end

    def page_compare(log = 0.3, cohorts: 5, requests: 1200)
      differences = Array.new(cohorts) { |index| log + (0.006 * (index % 3)) }
      made = CompareResult.new(differences, comparison: { gates: ["p50 < +2%"] }).to_h
      with_page_curves(made, requests)
    end

    def page_tune
      made = SampleTuning.new(SPEEDS, shapes: { "yours" => [1, 5] }, rounds: 6, searched: SEARCHED,
                                      left_out: [{ name: "3x1", code: "more_processes_than_cores",
                                                   values: { processes: 3, cores: 2 } }]).to_h
      made[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
        bytes = SIZES.fetch(trial[:variant], 250) * 1_000_000
        trial[:facts] = { **trial[:facts], memory: { at_end: { tree_bytes: bytes } } }
      end
      Stored.document(made)
    end

    def page_repro
      publication = publication(CLAIMS)
      run = reproduced(publication, { "old" => 950, "new" => 1000, "jit" => 1320 }, rounds: 4)
      judgements = Repro::Judge.new(publication, Repro::Order.tests(run.stored), run).call
      Repro::Document.new(run, publication, judgements).document.merge(folder: nil)
    end

    GATED = { "/products" => ["cpu < +2%", "memory < +5%"], "/cart" => ["cpu < +2%"] }.freeze
    LOGS = { "/products" => -0.002, "/cart" => -0.09 }.freeze

    # A gate of two pages: one holds, one fails.
    def page_gate(pages = GATED, logs = LOGS)
      gated = Gated.new(pages, logs.transform_values { |log| Array.new(8, log) })
      base = Gate::BaseRevision::Found.new(commit: "0f3a" * 10, name: "main", reason: "as asked")
      invocation = Typed.invocation("--quiet", command: "gate")
      Gate::Document.document(gated.result, name: "shop", base:, invocation:)
    end

    # A history that became slower after its thirtieth point; the last point has no figures.
    def page_history
      logs = SampleHistory.steps([30, 0.1], [12, 0.06])
      SampleHistory.document(SampleHistory.points([*logs, nil]))
    end

    def page_load(count = 3000)
      result = sample_load(sample_times(count))
      document = Report::Document.envelope("load", run: nil, seconds: nil, **page_place,
                                                   **LoadRun::Document.document(result))
      LoadRun::Curves.added(document, result)
    end

    def page_place
      { host: { fingerprint: { cores: 2 }, noise: {}, against: [] },
        provenance: { seed: nil, argv: ["127.0.0.1:3000"], versions: { mohs: "0.1.0" } } }
    end

    PROBES = { 400.0 => [9.0, "below"], 696.2 => [16.6, "below"], 840.0 => [31.0, "below"],
               905.0 => [49.0, "below"], 1000.0 => [140.0, "above"],
               1341.0 => [nil, "not_held"] }.freeze

    # A search whose rates rise to the limit.
    def page_rate
      known = Stats::Interval.new(value: 902.4, low: 863.0, high: 941.0, count: 3)
      request = App::Request.build(path: "/page")
      answer = App::Answer.new(request:, status: 200, length: 2, kind: :body)
      result = LoadRun::RateResult.new(
        outcome: "found", interval: known, limit: Load::Limit.parse("p99 < 50ms"),
        capacity_per_s: 959.0, arrivals: :poisson, budget_s: 60, needed_s: 48.0, seconds: 52.4,
        probes: PROBES.map { |rate, found| page_probe(rate, *found, known) }, answers: [answer],
        asked: { connections: 10, threads: 1, max_connections: nil }
      )
      invocation = Typed.invocation("127.0.0.1:3000", command: "load")
      document = LoadRun::RateDocument.new(result, server: "127.0.0.1:3000", invocation:).document
      Report::Document.envelope("load", **page_place, **document)
    end

    private

    def page_probe(rate_per_s, ms, outcome, interval)
      offered, figure_ns = (rate_per_s * 5).to_i, ms && (ms * 1e6).to_i
      Analysis::Rate::Probed.new(rate_per_s:, seconds: 5.0, outcome:, offered:, figure_ns:,
                                 late: ms ? 0 : 2165, errors: {}, interval:)
    end

    # The document of a made-up run whose trials sent so many requests.
    def with_page_curves(made, requests)
      recordings = {}
      made[:cohorts].flat_map { |cohort| cohort[:trials] }.each.with_index(1) do |trial, id|
        trial[:id] = id
        next unless trial[:state] == "measured"

        measured = trial[:slices].select { |slice| slice[:block] }
        times = page_times(requests, measured.sum { |slice| slice[:wall_ns] }, seed: id)
        recordings[id] = sample_load(times).recording
        measured.inject(0) { |at, slice| (slice[:started_ns] = at) + slice[:wall_ns] }
      end
      run = Stored.analysis(made)
      store = Stored::Reader.new(made, observations: ->(id) { recordings.fetch(id).encode })
      Report::Html.with_curves(Report::Model.build(run), run, store)
    end

    # Random times with a tail, slower at first, with one failure; they add up to total_ns.
    def page_times(count, total_ns, seed:)
      random = Random.new(seed)
      weights = Array.new(count) do |at|
        spread = Math.exp((random.rand + random.rand + random.rand - 1.5) * 0.5)
        slow = random.rand < 0.03 ? 3 + (8 * random.rand) : 1
        spread * slow * (at < count / 10 ? 1.5 : 1)
      end
      times = weights.map { |weight| (weight * total_ns / weights.sum).round }
      times.tap { |all| all[count / 2] = "closed_in_body" }
    end
  end
end
