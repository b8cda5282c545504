# frozen_string_literal: true

require "test_helper"
require_relative "../../rakelib/support/studies_page"

class StudiesPageTest < Mohs::TestCase
  include Mohs::Published
  include Mohs::ColdStarts

  JIT = { methods: 5, pieces: 7, code_bytes: 9000, compile_ns: 4_000_000, invalidations: 0,
          exits: 3 }.freeze

  CLAIMS = <<~YAML
    - {text: JIT gains a quarter, place: table 5, ratio: {of: jit, to: new, published: 1.25, tolerance: 10 %}}
    - {text: It scales, place: p. 4, needs: {cores: 100000}, bound: {of: jit, to: old, above: 2}}
  YAML

  def document(**changes, &)
    publication = publication(CLAIMS)
    run = reproduced(publication, { "old" => 1000, "new" => 1050, "jit" => 1300 }, &)
    judgements = Mohs::Repro::Judge.new(publication, Mohs::Repro::Order.tests(run.stored), run).call
    found = Mohs::Repro::Document.new(run, publication, judgements).document
    JSON.parse(JSON.generate({ **found, notes: "studies/shop-2023/notes.md", **changes }),
               symbolize_names: true)
  end

  # Has all that the screen of any study may show.
  def everything
    shares = [{ variant: "jit", trials: 3, samples: 900,
                categories: [{ name: "GC", share: 0.06, interval: [0.05, 0.07] }] }]
    document(overheads: [{ of: "jit", over: "old", value_us: 300.0, interval_us: [290.0, 310.0] }],
             shares:) { |result| record_cold_starts(result, slow: 5, jit: JIT) }
  end

  # A folder with these documents as files, and the folders that they are taken over to.
  def take_over(documents, taken: [])
    with_files do |dir|
      folders = { documents: "#{dir}/documents", folder: "#{dir}/pages" }
      [taken, documents].each do |some|
        paths = some.map.with_index do |one, index|
          "#{dir}/#{index}.json".tap { |path| File.write(path, JSON.generate(one)) }
        end
        Mohs::StudiesPage.write(paths, **folders)
      end
      yield folders
    end
  end

  test "what is kept of a document has all that its screen shows" do
    take_over([everything]) do |folders|
      kept = Mohs::StudiesPage.documents(folders[:documents]).first
      screen = Mohs::Report::Terminal.new.call({ **everything, run: nil, command: "repro" })

      assert_includes Mohs::StudiesPage.new([kept]).page(kept), screen.chomp
      assert_match(/share of CPU time.*compiled in jit/m, screen)
      refute kept.key?(:rows)
    end
  end

  test "documents of --all are taken over one by one, but none in place of a study of full size" do
    full, quick = document(size: "full"), document(size: "quick")
    other = { **quick, name: "other" }
    every = { studies: [{ document: quick }, { document: nil }, { document: other }] }
    take_over([every], taken: [quick]) do |folders|
      assert_equal %w[other shop-2023],
                   Mohs::StudiesPage.documents(folders[:documents]).map { |one| one[:name] }
    end
    take_over([full], taken: [full, other]) do |folders|
      File.write("#{folders[:folder]}.json", JSON.generate(every))
      error = assert_raises(Mohs::UsageError) do
        Mohs::StudiesPage.write(["#{folders[:folder]}.json"], **folders)
      end

      assert_match(/\Apublished at its full size: shop-2023 \(quick\)\. Leave/, error.message)
      sizes = Mohs::StudiesPage.documents(folders[:documents]).map { |one| one[:size] }
      assert_equal %w[quick full], sizes
    end
  end

  test "a page is what mohs repro prints, with its command, source and machine" do
    asked = document(provenance: { argv: %w[shop-2023 --full --json] })
    text = Mohs::StudiesPage.new([asked]).page(asked)

    assert_includes text, "- source: A. Author, B. Author: [A thesis](https://example.org) (2023)"
    assert_includes text, "![Published and measured ratio for each claim](images/shop-2023.svg)"
    assert_includes text, "[notes.md](../../studies/shop-2023/notes.md)"
    assert_match(/^\$ mohs repro shop-2023 --full$/, text)
    assert_match(/^JIT gains a quarter \(source: table 5\)\n  published  \+25 %; accepted: /, text)
    assert_match(/^- measured on a .*machine of \d+ cores/, text)
  end

  test "a reason of a server, which is no plain data, is kept as a text" do
    asked = document do |result|
      result[:cohorts].each do |one|
        one[:trials].find { |trial| trial[:variant] == "jit" }
                    .merge!(state: "failed", reason: "the server died", slices: [])
      end
    end
    take_over([asked]) do |folders|
      kept = Mohs::StudiesPage.documents(folders[:documents]).first

      assert_equal [%i[code text]], kept[:claims].first[:findings].map(&:keys)
      assert_match(/undecided: "jit" has no figures: the server died/,
                   Mohs::StudiesPage.new([kept]).page(kept))
    end
  end

  test "the picture of the ratios is an image of its own, with a style" do
    svg = Mohs::StudiesPage.new([document]).picture(document)

    assert svg.start_with?("<svg "), svg[0, 80]
    assert_includes svg, 'xmlns="http://www.w3.org/2000/svg"'
    assert_includes svg, ".m.t-good path"
    assert_match(/JIT gains a quarter/, svg)
    refute_match(/ (href|src|onload)=|@import|url\(/, svg)
  end

  test "a study without a ratio has no picture" do
    none = document
    none[:claims].each { |claim| claim.merge!(value: nil, published: nil) }

    assert_nil Mohs::StudiesPage.new([none]).picture(none)
    refute_includes Mohs::StudiesPage.new([none]).page(none), "images/"
  end

  test "the scoreboard counts the claims of each study, and of all" do
    text = Mohs::StudiesPage.new([document, { **document, name: "other" }]).board

    assert_includes text, "| [other](other.md) |  | 2 | 1 | 0 | 0 | 0 | 0 | 0 | 1 |"
    assert_includes text, "| **all** |  | 4 | 2 | 0 | 0 | 0 | 0 | 0 | 2 |"
    assert_match(/^How each study.s claims fared. All ran on a .* of \d+ cores/, text)
  end

  test "the scoreboard tells what is contradicted only for another version, and other machines" do
    one = document
    claims = [{ **one[:claims].first, judgement: "contradicted",
                findings: [{ code: "repro_stand_in_only" }] }, one[:claims].last]
    counts = { **one[:counts], agrees: 0, contradicted: 1 }
    other = { **one, name: "other", claims:, counts: }
    other[:host] = { fingerprint: { **one[:host][:fingerprint], cpu: "another" } }
    text = Mohs::StudiesPage.new([one, other]).board

    assert_includes text, "| [other](other.md) |  | 2 | 0 | 0 | 0 | 1 (1) | 0 | 0 | 1 |"
    assert_includes text, "| **all** |  | 4 | 1 | 0 | 0 | 1 (1) | 0 | 0 | 2 |"
    assert_includes text, "They ran on 2 machines, which the pages name."
  end

  test "the scoreboard tells which part agrees, and what differed from the source" do
    one = document
    counts = { **one[:counts], agrees: 0, direction_only: 1 }
    boards = %w[repro_other_size repro_stand_in repro_cores_only].map do |code|
      claims = [{ **one[:claims].first, judgement: "direction_only", findings: [{ code: }] }]
      Mohs::StudiesPage.new([{ **one, claims:, counts: }]).board
    end

    assert_includes boards[0], "| **all** |  | 1 | 0 | 0 | 1 | 0 |"
    assert_includes boards[1], "| **all** |  | 1 | 0 | 1 | 0 | 0 |"
    assert_includes boards[1], "were measured with another version of Ruby\n"
    assert_includes boards[2], "were measured on fewer cores\n"
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
