# frozen_string_literal: true

require "test_helper"

# Comments on pull requests.
class ExportersMarkdownTest < Mohs::TestCase
  include Mohs::SampleDocuments

  def markdown(document) = Mohs::Exporters::Documents.fetch("markdown").new.call(document)

  test "a comparison: the answer first, the table, then notes and how it was measured, folded" do
    document = sample_document("compare", finished_ms: 1_763_886_000_000)
    provenance = { seed: 8412, versions: { ruby: "3.1.2" } }
    host = { **document[:host], fingerprint: { cpu: "AMD EPYC", cores: 2, kernel: "6.18" } }

    assert_equal <<~TEXT, markdown(document.merge(provenance:, host:))
      **B, "b", serves 35 % more requests a second than A, "a" [34.1, 35.9].**

      shop · GET /products · 4 connections

      | metric | A | B | B against A |  |  |
      | --- | --: | --: | --: | --- | --- |
      | requests/s | 1 000 | 1 350 | +35.0 % | [34.1, 35.9] | better |
      | CPU a request | 900 µs | 667 µs | -25.9 % | [-27.0, -24.9] | better |
      | p50 | 4.00 ms | 2.96 ms | -25.9 % | [-26.9, -24.9] | better |
      | p99 | 8.00 ms | 5.93 ms | -25.9 % | [-26.4, -25.4] | better |
      | memory | 28.0 MB | 28.0 MB | +0.0 % | [0.0, 0.0] | equal |
      | boot | 300 ms | 300 ms | +0.0 % | [0.0, 0.0] | equal |
      | errors | 0 | 0 |  |  |  |

      <details>
      <summary>Notes</summary>

      - **marks**: better, worse: beyond chance; equal: within 1 %; else undecided (requests/s and p99 tested alone, the others jointly)
      - **spread**: standard deviation between cohorts 0.1 % (0.1 % due to boots)
      - **latency**: service times of a closed loop, 4 connections
      - **answers**: 200, 4 507 bytes, same body each time (checked on all 240 000)
      - **attested**: interpreter, JIT, 1 process x 5 threads, glibc malloc
      - **host**: other processes took 3.3 % of the CPU (3 to 4 % in a cohort)
      - **run**: 7c1a · show again: mohs show 7c1a

      </details>

      <details>
      <summary>How it was measured</summary>

      - **measured**: 15 s · 3 cohorts of 2 + 2 servers · at most 120 000 requests each · one core a side
      - **host**: AMD EPYC, 2 cores, kernel 6.18
      - **ended**: 2025-11-23 08:20 UTC
      - **seed**: 8412
      - **versions**: mohs 0.1.0, ruby 3.1.2
      - **command**: `mohs compare --get /products`

      </details>
    TEXT
  end

  # Parts that each has to have.
  PARTS = {
    "run" => ["**3.4.5 --yjit serves 37 % more", "| 3.4.5 --yjit | 342 | 1 652 ±1.1 % | a |",
              "not run: needs Java 21", "- **measured**: 3 of 3 rounds"],
    "tune" => ["**2x3 serves", "| setting | requests/s at the limit |", "&lt;- recommended |",
               "- **to use**: "],
    "repro" => ["| claim (place) | published | here | judgement |", "| contradicted: ",
                "| not testable here: it is a prediction |"],
    "repro --all" => ["**2 studies, 3 claims: 1 agrees", "| shop-2023 | 3 | 1 |",
                      "- **broken**: claims: should be a list"],
    "bisect" => ["**6599408 (2026-11-21, Change 4) made it slower", "| step | compared with | is |",
                 "- **measured**: 1 min 45 s · 5 candidates", "`mohs bisect main~5 main"],
    "load" => ["requests/s for", "| latency, ms | min | p50 |", "| service | 0.0"],
    "load --find-rate" => ["**p99 stays below 50 ms up to 902", "| requests/s | p99, ms |  |",
                           "- **measured**: 52 s, 1 probes"],
    "load --find-connections" => ["**first event p99 stays below 200 ms with 400",
                                  "| connections | first event p99, ms |  |",
                                  "- **measured**: 31 s · 2 loads"],
    "load --stream" => ["**2 of 4 streams stayed open", "| between events | 1 000 |",
                        "- **dropped**: 1 dropped by the server: ended 1"],
  }.freeze

  PARTS.each do |kind, parts|
    test "the answer, the table and the rest of #{kind}" do
      text = markdown(sample_document(kind))

      assert_match(/\A\*\*.+\*\*\n\n/, text)
      assert_match(/^\| .+\n\| (---|--:)( \| (---|--:))* \|\n\| /, text)
      parts.each { |part| assert_includes text, part }
      refute_match(/\n\n\n/, text)
    end
  end

  test "the rates of an open loop have a table of their own, and warnings are notes" do
    text = markdown(recorded("load-steps"))

    assert_includes text, "| requests/s due | answered/s |"
    assert_match(/^\| response \| .*\n\| service \| /, text)
    assert_includes text, "- **driver waits**: for 3.2 % of the time"
  end

  test "problems of the host are named" do
    against = [{ label: "CPU pressure", detail: "somebody waited" }]
    text = markdown(sample_document("run", host: { fingerprint: {}, against: }))

    assert_includes text, "- **against it**: CPU pressure: somebody waited\n"
  end

  test "gates stand above the table, not among the notes" do
    gates = [{ gate: "memory < +5%", outcome: "fails", reason: "memory +9 %" },
             { gate: "p50 < +2%", outcome: "holds", reason: "p50 -3 %" }]
    text = markdown(sample_document("compare", gates:))

    assert_includes text, <<~TEXT

      - **gate**: memory &lt; +5% fails: memory +9 %
      - **gate**: p50 &lt; +2% holds: p50 -3 %

      | metric |
    TEXT
      .chomp
    assert_equal 2, text.scan("**gate**").size
  end

  test "a load says where and how it was measured" do
    text = markdown(sample_document("load"))

    assert_includes text, "- **host**: 2 cores\n"
    assert_includes text, "- **versions**: mohs 0.1.0, ruby ruby 3.1.2\n"
    assert_includes text, "- **command**: `mohs load 127.0.0.1:3000`\n"
  end

  test "a comparison of which nothing was measured has no table" do
    document = sample_document("compare")
    text = markdown(document.merge(cohorts: { **document[:cohorts], done: 0 }))

    refute_includes text, "| metric |"
  end
end
