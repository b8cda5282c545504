# frozen_string_literal: true

require "test_helper"

# Comments on pull requests.
class ExportersMarkdownTest < Mohs::TestCase
  include Mohs::SampleDocuments
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-exporters-documents"

  def markdown(document) = Mohs::Exporters::Documents.fetch("markdown").new.call(document)

  test "a comparison: the answer first, the table, then notes and how it was measured, folded" do
    document = sample_document("compare", finished_ms: 1_763_886_000_000)
    provenance = { seed: 8412, versions: { ruby: "3.1.2" } }
    host = { **document[:host], fingerprint: { cpu: "AMD EPYC", cores: 2, kernel: "6.18" } }

    assert_said(markdown(document.merge(provenance:, host:)))
  end

  test "which variants A and B are, where the answer does not name them" do
    same = Mohs::Stored.document(CompareResult.new([0.001, 0.002, -0.001]).to_h)

    assert_includes markdown(same), "\n\nA: a · B: b\n\n| metric"
    refute_includes markdown(sample_document("compare")), "A: "
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
    assert_said(paragraph(text, "- **driver waits**:"))
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
