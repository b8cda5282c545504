# frozen_string_literal: true

require "test_helper"
require_relative "../../rakelib/support/studies_page"

class StudiesPageTest < Mohs::TestCase
  include Mohs::Published

  CLAIMS = <<~YAML
    - {text: JIT gains a quarter, place: table 5, ratio: {of: jit, to: new, published: 1.25, tolerance: 10 %}}
    - {text: It scales, place: p. 4, needs: {cores: 100000}, bound: {of: jit, to: old, above: 2}}
  YAML

  def document
    publication = publication(CLAIMS)
    run = reproduced(publication, { "old" => 1000, "new" => 1050, "jit" => 1300 })
    judgements = Mohs::Repro::Judge.new(publication, Mohs::Repro::Order.tests(run.stored), run).call
    found = Mohs::Report::ReproModel.new(run, publication, judgements).document
    JSON.parse(JSON.generate({ **found, notes: "studies/shop-2023/notes.md" }),
symbolize_names: true)
  end

  test "a page is what mohs repro prints, with its command, source and machine" do
    text = Mohs::StudiesPage.new([document]).page(document)

    assert_includes text, "- source: A. Author, B. Author: A thesis (2023)"
    assert_includes text, "[notes.md](../../studies/shop-2023/notes.md)"
    assert_match(/^\$ mohs repro/, text)
    assert_match(/^JIT gains a quarter \(table 5\) +\+25 % /, text)
    assert_match(/^- measured on a .*machine of \d+ cores/, text)
  end

  test "the scoreboard counts the claims of each study, and of all" do
    text = Mohs::StudiesPage.new([document, { **document, name: "other" }]).board

    assert_includes text, "| [other](other.md) |  | 2 | 1 | 0 | 0 | 0 | 1 |"
    assert_includes text, "| **all** |  | 4 | 2 | 0 | 0 | 0 | 2 |"
  end

  test "docs/studies is what rake docs:studies makes" do
    Mohs::StudiesPage.pages.each do |name, text|
      path = File.join(Mohs::StudiesPage::FOLDER, name)
      assert_equal text, File.read(path, encoding: "UTF-8"), name
    end
  end

  test "each page is of a study of this checkout, and has no path of a machine" do
    names = Mohs::StudiesPage.documents.map { |one| one[:name] }

    assert_empty names - Mohs::Repro::Library.new.names
    refute_includes Mohs::StudiesPage.pages.values.join, Mohs.root
  end
end
