# frozen_string_literal: true

require_relative "gated"
require_relative "published"
require_relative "sample_history"
require_relative "sample_load"
require_relative "sample_streams"
require_relative "cli_helper"
require_relative "recorded_documents"

module Mohs
  # A document of each kind that is exported (Exporters::Documents.kinds), as its command prints
  # it, for a test case.
  module SampleDocuments
    include Published
    include SampleLoad
    include SampleStreams
    include CLIHelper
    include RecordedDocuments

    CLAIMS = <<~YAML
      - {text: YJIT serves more, place: p. 1, order: {more: jit, than: new}}
      - {text: it is equal, place: p. 2, equal: {of: jit, to: new, margin: 1 %}}
      - {text: nobody knows, place: p. 3, not_testable: it is a prediction}
    YAML
    RATES = { "old" => 1000, "new" => 1050, "jit" => 1400 }.freeze
    DIFFER = [0.301, 0.3, 0.299].freeze

    # { kind => document }
    def sample_documents = Exporters::Documents.kinds.to_h { |kind| [kind, sample_document(kind)] }

    def sample_document(kind, **changes)
      made = case kind
             when "run" then fixture_document(finished_ms: 1_763_886_000_000)
             when "compare" then Stored.document(CompareResult.new(DIFFER).to_h)
             when "gate" then sample_gate
             when "tune" then sample_tuning
             when "repro" then sample_reproduction
             when "repro --all" then all_reproduced
             when "bisect" then sample_bisection
             when "history" then sample_history
             when "load" then loaded(LoadRun::Document.document(sample_load(sample_times(90))))
             when "load --stream" then loaded(streams_document)
             when "load --find-connections" then loaded(found_connections_document)
             else loaded(found_rate)
             end
      made.merge(changes)
    end

    def loaded(document) = Report::Document.envelope("load", document)

    def sample_gate
      gated = Gated.new({ "/products" => ["cpu < +2%", "memory < +5%"] },
                        { "/products" => Array.new(8, -0.05) })
      base = Gate::BaseRevision::Found.new(commit: "0f3a" * 10, name: "main", reason: "as asked")
      Gate::Document.document(gated.result, name: "shop", base:, study: fixture_study,
                                               invocation: Typed.invocation(command: "gate"))
    end

    # Recorded without the command that makes it again.
    def sample_bisection
      typed = Typed.invocation("main~5", "main", command: "bisect").to_h
      recorded("bisect").merge(again: Report::Document.again(typed))
    end

    def sample_history
      SampleHistory.document(SampleHistory.points(SampleHistory.steps([30, 0.1], [10, 0.07])))
    end

    def sample_tuning
      speeds = { "yours" => 1000.0, "1x1" => 700.0, "2x3" => 1300.0 }
      made = SampleTuning.new(speeds, shapes: { "yours" => [1, 5] }, rounds: 6,
                                      searched: { "yours" => 700.0, "2x3" => 900.0 })
      Report::Model.build(made.analysis)
    end

    def sample_reproduction
      publication = publication(CLAIMS)
      run = reproduced(publication, RATES)
      judgements = Repro::Judge.new(publication, Repro::Order.tests(run.stored), run).call
      Repro::Document.new(run, publication, judgements).document
    end

    def all_reproduced
      publication, document = publication(CLAIMS), sample_reproduction
      ended = [
        Repro::AllDocument::Ended.new(name: "shop-2023", publication:, document:, status: 0,
                                         seconds: 61.0),
        Repro::AllDocument::Ended.new(name: "broken", status: 3, seconds: 0.1,
                                         error: "claims: should be a list"),
      ]
      Report::Document.envelope("repro", Repro::AllDocument.new(ended, of: 3).document)
    end

    def found_rate
      known = Stats::Interval.new(value: 902.4, low: 863.0, high: 941.0, count: 3)
      request = App::Request.build(path: "/page")
      answer = App::Answer.new(request:, status: 200, length: 2, kind: :body)
      probe = Analysis::Rate::Probed.new(rate_per_s: 696.2, seconds: 5.0, outcome: "below",
                                         figure_ns: 16_600_000, offered: 6934, late: 0, errors: {},
                                         interval: known)
      result = LoadRun::RateResult.new(
        outcome: "found", interval: known, limit: Load::Limit.parse("p99 < 50ms"),
        capacity_per_s: 959.0, arrivals: :poisson, budget_s: 60, needed_s: 48.0, seconds: 52.4,
        probes: [probe], answers: [answer],
        asked: { connections: 10, threads: 1, max_connections: nil }
      )
      LoadRun::RateDocument.new(result, server: "127.0.0.1:3000").document
    end
  end
end
