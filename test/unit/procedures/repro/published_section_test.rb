# frozen_string_literal: true

require "test_helper"

# What a study published, as a section of a page that has nothing measured.
class PublishedSectionTest < Mohs::TestCase
  include Mohs::Published

  Parts = Mohs::Report::View::Section
  CLAIM = "- {text: YJIT serves more, place: p. 1, order: {more: jit, than: new, " \
          "figures: [a, b]}}\n"
  MORE = <<~YAML
    environment: {application: their shop}
    here: {application: our shop}
    figures:
      - {id: a, place: table 1, value: 13577, unit: requests/s, level: jit, metric: rate}
      - {id: b, place: table 1, value: 10185, unit: requests/s, level: new, metric: rate}
  YAML

  test "its source, what was run, the command, the claims and the figures" do
    pairs, setting, measure, claims, figures = section(MORE).parts

    assert_equal ["A. Author and others 2023", "A thesis"], pairs.pairs.first(2).map(&:last)
    assert_equal ["https://example.org", :address], pairs.pairs.dig(2, 1, 0).to_a
    assert_equal [%w[application their\ shop our\ shop]], setting.texts.drop(1)
    assert_equal ["mohs repro shop-2023", :code], measure.words.last.to_a
    assert_equal [["YJIT serves more (source: p. 1)", "+33 % (13 577 against 10 185"]],
                 claims.texts.drop(1).map { |text, said| [text, said[/\A[^,]*10 185/]] }
    assert_equal %w[rate table\ 1 13577 requests/s jit], figures.parts.first.texts[1]
  end

  # A figure of the view that changes its key would be an empty cell.
  test "a claim has what its source says, and nothing that was measured" do
    table = section.parts.grep(Mohs::Report::View::Table).first

    assert_equal ["claim (place)", "published"], table.columns.map(&:title)
    assert(table.rows.all? { |row| table.columns.all? { |one| !row[one.key].whole.empty? } })
  end

  test "beside a page of its claims it has none, and without figures no list of them" do
    assert_empty section(claims: false).parts.grep(Mohs::Report::View::Table)
    assert_empty section.parts.grep(Parts::Fold)
  end

  def section(more = "", **options)
    claim = more.empty? ? CLAIM.sub(", figures: [a, b]", "") : CLAIM
    document = Mohs::Repro::Document.published(publication(claim, more:))
    Mohs::Repro::PublishedSection.new(document, **options).to_section
  end
end
