# frozen_string_literal: true

require "test_helper"

# JUnit XML, read back, and held against what the schemas of Jenkins (junit-10.xsd of the xUnit
# plugin), Surefire (surefire-test-report.xsd) and Ant (JUnit.xsd) have in common.
class ExportersJunitTest < Mohs::TestCase
  include Mohs::SampleDocuments

  SUITE = { required: %w[name tests failures errors skipped time], more: %w[timestamp] }.freeze
  CHILDREN = { "testsuites" => %w[testsuite], "testsuite" => %w[properties testcase],
               "properties" => %w[property], "property" => [],
               "testcase" => %w[skipped failure system-out], "skipped" => [], "failure" => [],
               "system-out" => [] }.freeze

  def read(document)
    text = Mohs::Exporters::Documents.fetch("junit").new.call(document)
    root = Mohs::XmlReader.read(text)
    assert_schema root
    assert_equal "testsuites", root.name
    root.first("testsuite")
  end

  # Elements in this order, with these attributes.
  def assert_schema(element)
    names = element.elements.map(&:name)
    allowed = CHILDREN.fetch(element.name)
    assert_empty names - allowed
    assert_equal names.sort_by { |name| allowed.index(name) }, names
    send("assert_#{element.name.tr('-', '_')}", element) if
      %w[testsuite testcase property failure skipped].include?(element.name)
    element.elements.each { |child| assert_schema(child) }
  end

  def assert_attributes(element, required:, more: [])
    assert_empty required - element.attributes.keys, element.name
    assert_empty element.attributes.keys - required - more, element.name
  end

  def assert_testsuite(suite)
    assert_attributes(suite, **SUITE)
    cases = suite.all("testcase")
    counts = { "tests" => cases.size, "errors" => 0,
               "failures" => cases.count { |one| one.first("failure") },
               "skipped" => cases.count { |one| one.first("skipped") } }
    counts.each { |name, count| assert_equal count.to_s, suite.attributes[name], name }
    assert_match(/\A\d+(\.\d+)?\z/, suite.attributes["time"])
    assert_match(/\A(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)?\z/, suite.attributes["timestamp"].to_s)
    assert_operator suite.all("properties").size, :<=, 1
  end

  def assert_testcase(element)
    assert_attributes(element, required: %w[name classname time])
    assert_operator %w[failure skipped].count { |name| element.first(name) }, :<=, 1
  end

  def assert_property(element) = assert_attributes(element, required: %w[name value])

  def assert_failure(element) = assert_attributes(element, required: %w[message type])

  def assert_skipped(element) = assert_attributes(element, required: %w[message])

  def outcomes(suite)
    suite.all("testcase").to_h do |one|
      name = %w[failure skipped].find { |child| one.first(child) }
      [one.attributes["name"], name || "passed"]
    end
  end

  test "a case for each variant: those that failed fail, those that were refused are skipped" do
    run = sample_document("run")
    rows = run[:rows].map.with_index do |row, at|
      state = { 1 => "failed", 2 => "invalid", 3 => "waiting" }[at] or next row
      { **row, state:, reason: "why <#{state}>\nmore", log_tail: "boom & \e[31mred]]>\n" }
    end
    suite = read(run.merge(rows:))

    assert_equal %w[passed failure failure skipped passed skipped skipped],
                 outcomes(suite).values
    failure = suite.all("testcase")[1].first("failure")
    assert_equal ["why <failed>", "failed", "why <failed>\nmore"],
                 [failure.attributes["message"], failure.attributes["type"], failure.text]
    assert_equal "boom & red]]>\n", suite.all("testcase")[1].first("system-out").text
    assert_equal ["mohs run shop GET /products", "7", "2", "3", "110.2", "2025-11-23T08:18:09"],
                 suite.attributes.values_at("name", "tests", "failures", "skipped", "time",
                                            "timestamp")
  end

  test "figures are in a case's output, the run's facts are properties of the suite" do
    suite = read(sample_document("compare"))
    properties = suite.first("properties").elements.to_h do |one|
      [one.attributes["name"], one.attributes["value"]]
    end

    assert_match(/^throughput_per_s 13\d\d\.\S+ \[.*\] faster$/,
                 suite.all("testcase")[0].first("system-out").text)
    assert_equal ["7c1a", "a", "8412", "mohs compare --get /products"],
                 properties.values_at("run", "baseline", "seed", "command")
  end

  test "gates that fail are failures, inconclusive ones are skipped" do
    gates = %w[holds fails inconclusive].map do |outcome|
      { gate: "p50 < #{outcome}", outcome:, reason: "because" }
    end
    found = outcomes(read(sample_document("compare", gates:)))

    assert_equal %w[passed failure skipped],
                 %w[holds fails inconclusive].map { |name| found["p50 < #{name}"] }
    assert_equal "passed", found["b against a"]
  end

  test "a comparison without a verdict has failed" do
    document = sample_document("compare")
    verdict = { **document[:verdict], outcome: "invalid" }

    assert_equal "failure", outcomes(read(document.merge(verdict:)))["b against a"]
  end

  test "claims that are contradicted fail, and what is not decided is skipped" do
    assert_equal %w[passed failure skipped],
                 outcomes(read(sample_document("repro"))).values.last(3)
  end

  { true => "passed", false => "failure", nil => "skipped" }.each do |best, outcome|
    test "mohs tune --check with #{best.inspect} is #{outcome}" do
      document = sample_document("tune", present_is_best: best)

      assert_equal outcome, outcomes(read(document.merge(check: true))).values.last
      refute_includes outcomes(read(document)).keys.join, "best settings"
    end
  end

  test "where --check can't tell, the case says why" do
    why = "the searches are not over"
    made = sample_document("tune", present_is_best: nil, present_unknown: why)
    suite = read(made.merge(check: true))

    assert_equal why, suite.all("testcase").last.first("skipped").attributes["message"]
  end

  test "a study of which nothing could be measured has its claims alone" do
    suite = read(sample_document("repro", rows: [], seconds: nil, finished_ms: nil))

    assert_equal 3, outcomes(suite).size
  end

  test "each gate of each page is a case; one that fails is a failure" do
    suite = read(sample_document("gate"))
    cases = suite.all("testcase")

    assert_equal ["GET /products: CPU a request < +2 %", "GET /products: memory < +5 %"],
                 cases.map { |one| one.attributes["name"] }
    assert_equal 1, cases.count { |one| one.first("failure") }
  end
end
