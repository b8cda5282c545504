# frozen_string_literal: true

require "test_helper"

# Which format a document or a file has.
class ExportersDocumentsTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-exporters"

  Documents = Mohs::Exporters::Documents

  { "run" => { command: "run" }, "compare" => { command: "compare" },
    "load" => { command: "load", steps: [] }, "load --find-rate" => { command: "load", probes: [] },
    "load --find-connections" => { command: "load", loads: [] },
    "load --stream" => { command: "load", streams: {} },
    "repro" => { command: "repro", claims: [] },
    "repro --all" => { command: "repro", studies: [], counts: {} },
    "repro --list" => { command: "repro", studies: [] },
    "history" => { command: "history", points: [] },
    "history --list" => { command: "history", tracks: [] },
    "gate" => { command: "gate", gates: [] }, "gate --init" => { command: "gate", init: "github" },
    "gate --dry-run" => { command: "gate", dry_run: true },
    "run --dry-run" => { command: "run", dry_run: true },
    "error" => { command: "run", error: {} } }.each do |kind, document|
    test "the kind of #{document.inspect}" do
      assert_equal kind, Documents.kind(document)
    end
  end

  test "a list of a procedure is told by its view, and can't be written" do
    soak = Class.new(Mohs::Report::Views::Base)
    soak.const_set(:KIND, "soak")
    soak.const_set(:LISTS, { soaks: "soak --list" }.freeze)
    Mohs::Procedure.stub(:parts, ->(name) { name == "view" ? [soak] : [] }) do
      document = { command: "soak", soaks: [] }
      assert_equal ["soak --list", "soak"],
                   [document, { command: "soak" }].map { |one| Documents.kind(one) }
      assert_includes Documents.kinds, "soak"
      error = assert_raises(Mohs::UsageError) { Documents.fetch("markdown").new.call(document) }
      assert_said(error.message)
    end
  end

  { "a.md" => "markdown", "b/c.MARKDOWN" => "markdown", "x.json" => "json", "x.xml" => "junit",
    "x.otlp.json" => "otlp", "x.bencher.json" => "bencher", "x.github.json" => "github_action",
    "x.github-smaller.json" => "github_action_smaller", "x.prom" => "prometheus",
    "x.jsonl" => "ndjson", "x.csv" => "csv" }.each do |file, name|
    test "#{file} is #{name}" do
      assert_equal name, Documents.of_file(file).label
    end
  end

  test "a file whose ending says nothing is a mistake, with the endings and the names" do
    message = assert_raises(Mohs::UsageError) { Documents.of_file("report.txt") }.message

    assert_match(/\Areport\.txt: .*\.md .*prometheus/, message)
    assert_raises(Mohs::UsageError) { Documents.of_file("md") }
  end

  test "an unknown format is a mistake with the nearest, or with all" do
    near = assert_raises(Mohs::UsageError) { Documents.fetch("markdwn") }.message
    far = assert_raises(Mohs::UsageError) { Documents.fetch("parquet") }.message

    assert_includes near, 'unknown format "markdwn". Did you mean markdown?'
    assert_match(/Known: bencher, csv, .*prometheus/, far)
  end

  test "a document that a format can't write is a mistake, with those that can" do
    error = assert_raises(Mohs::UsageError) { Documents.fetch("junit").verify("load") }

    assert_match(/\Ajunit .*: .*\. csv, json, markdown, ndjson, otlp, prometheus /,
                 error.message.sub("html, ", ""))
    other = assert_raises(Mohs::UsageError) { Documents.fetch("csv").verify("doctor") }
    assert_match(/mohs doctor\. json /, other.message)
    assert_nil Documents.fetch("json").verify("doctor")
  end

  PAGE = File.read(File.join(Mohs.root, "docs/report.md"), encoding: "UTF-8")

  Documents.all.each do |member|
    test "report.md has #{member.label}, its endings and what it is" do
      endings = member::ENDINGS.map { |ending| "`#{ending}`" }.join(", ")
      help = member::HELP.sub("docs/json.md", "[json.md](json.md)")

      assert_includes PAGE, "| `#{member.label}` | #{endings} | #{help} |"
    end
  end
end
