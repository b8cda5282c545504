# frozen_string_literal: true

require "test_helper"

# The figures of a cold start, as each renderer has them.
class ReportColdStartTest < Mohs::TestCase
  include Mohs::ColdStarts

  def document(jit: { methods: 5, compile_ns: 4_000_000 })
    made = SampleResult.new({ "3.1.2" => 1200, "3.4.5 --yjit" => 1650 }).to_h
    record_cold_starts(made, slow: 3, jit:)
    Mohs::Stored.document(made)
  end

  def markdown(document) = Mohs::Exporters::Documents.fetch("markdown").new.call(document)

  test "they are tables of the view, and only the courses are a picture" do
    view = Mohs::Report::Views.of(document)
    cold, *compiled = view.tables.drop(1)

    assert_equal %i[variants cold_start compiled compiled], view.tables.map(&:key)
    assert_equal ["3.1.2", "1 000"], cold.rows.first.texts(cold.columns).first(2)
    assert_equal ["requests", "methods", "JIT ms", "requests/s"], compiled.first.texts.first
    assert_equal [%i[name curves]], view.pictures[:cold_start].map(&:keys).uniq
  end

  test "Markdown has them, and folds what the JIT had compiled" do
    text = markdown(document)

    assert_match(%r{^\|.* \| last/s \|.*\n.*\n\| 3\.1\.2 \| 1 000 \|}, text)
    assert_match(%r{<summary>Details</summary>\n\ncompiled in 3\.1\.2\n\n\| requests \|}, text)
    refute_includes markdown(document(jit: nil)), "<summary>Details"
  end

  test "a page has the columns of the terminal" do
    html = Mohs::Report::Html.new(document).to_s
    titles = Mohs::Report::Views.of(document).tables.drop(1).flat_map { |one| one.texts.first }

    assert_empty(titles.reject { |title| html.include?(">#{title}</th>") })
  end

  test "without a cold start there are none" do
    view = Mohs::Report::Views.of(Mohs::Stored.document(SampleResult.new({ "a" => 10 }).to_h))

    assert_equal [%i[variants], []], [view.tables.map(&:key), view.pictures[:cold_start]]
  end
end
