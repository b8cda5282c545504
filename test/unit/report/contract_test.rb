# frozen_string_literal: true

require "test_helper"
require "json"

# The document's keys are those of docs/json.md, both ways.
class ReportContractTest < Mohs::TestCase
  DOCS = File.read(File.join(Mohs.root, "docs/json.md"))

  # { key => meaning } of the table below a heading.
  def documented(heading)
    section = DOCS.split(/^#+ /).find { |text| text.start_with?(heading) }
    flunk "no section #{heading}" unless section
    section.scan(/^\| `([^`]+)` \| [^|]+ \| (.+) \|$/).to_h
  end

  # Words in code type of a meaning.
  def named(meaning) = meaning.scan(/`([a-z0-9_]+)`/).flatten

  def keys(hash) = hash.keys.map(&:to_s)

  def document
    @document ||= begin
      sample = SampleResult.new({ "3.1.2" => 1200, "3.4.5" => 1230, "3.4.5 --yjit" => 1650,
                                  "3.3.8 --yjit" => 1649 })
      result = sample.to_h
      result[:cohorts].last[:trials] << sample.failed("3.4.5")
      result[:run][:plan][:dropped] <<
        { name: "jruby-10", code: "dropped_variant",
          values: { rounds: 3, enough_s: 200, budget_s: 60.0 } }
      Mohs::Stored.document(result)
    end
  end

  test "keys of the document" do
    everywhere = documented("In every document")
    top = (everywhere.keys + documented("`run`").keys).grep_v(/\./)
    assert_equal top.sort, keys(document).sort
    %w[host provenance].each do |key|
      nested = everywhere.keys.grep(/\A#{key}\.\w+\z/).map { |name| name.split(".").last }
      assert_equal nested.sort, keys(document[key.to_sym]).sort
    end
  end

  test "a document says when its run or its load ended" do
    extend Mohs::SampleLoad
    load = sample_load([1000, 2000])
    ended_ms = Mohs::SampleLoad::BEGAN_NS / 1_000_000

    assert_equal 111_000, document[:finished_ms]
    assert_equal ended_ms, Mohs::LoadRun::Document.document(load)[:finished_ms]
  end

  test "keys of what stands in the document" do
    meanings = documented("`run`")
    assert_equal named(meanings["rounds"]), keys(document[:rounds])
    assert_equal named(meanings["groups"]), keys(document[:groups].first)
    assert_equal named(meanings["dropped"]), keys(document[:dropped].first)
    assert_equal named(meanings["notes"]), keys(document[:notes].first)
  end

  test "keys of a row" do
    meanings = documented("A row")
    own = meanings.keys.grep_v(/\./) # the others are those of a row's parts
    document[:rows].each { |row| assert_equal own.sort, keys(row).sort }
    row = document[:rows].find { |one| one[:failures].any? }
    assert_equal named(meanings["failures"]), keys(row[:failures].first)
    %w[trials errors latency_ms].each do |key|
      assert_equal named(meanings[key]), keys(row[key.to_sym])
    end
    assert_equal named(meanings["checks"]), keys(row[:checks].first)
  end

  test "an estimate is value, low, high" do
    rows = documented("A row")
    estimates = DOCS.scan(/^\| `([a-z_]+)` \| estimate \|/).flatten
    assert_equal rows.keys & estimates, estimates
    estimates.each { |key| assert_equal %i[value low high], document[:rows].first[key.to_sym].keys }
  end

  test "keys and outcomes of a verdict" do
    meanings = documented("A verdict")
    document[:rows].each do |row|
      assert_equal meanings.keys, keys(row[:verdict])
      assert_includes named(meanings["outcome"]), row[:verdict][:outcome]
    end
  end

  test "states and names are those documented" do
    assert_includes named(documented("`run`")["state"]), document[:state]
    states = named(documented("A row")["state"])
    document[:rows].each { |row| assert_includes states, row[:state] }
    notes = DOCS[/`notes\[\]\.name` is one of ([^.]+)\./, 1].scan(/\w+/)
    assert_empty document[:notes].map { |note| note[:name] } - notes
    codes = DOCS[/`notes\[\]\.code` says .*?: (.+?); for a note named `app`/m, 1]
    assert_equal Mohs::Report::Notes::NAMES.keys, codes.scan(/`(\w+)`/).flatten
    assert_empty Mohs::Report::Notes::NAMES.values.grep(/\A\w+\z/) - notes
  end

  test "the document survives JSON" do
    assert_equal document, JSON.parse(JSON.generate(document), symbolize_names: true)
  end
end
