# frozen_string_literal: true

require "test_helper"

class CLIReproTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Published

  CLAIMS = <<~YAML
    - {text: JIT gains a quarter, place: table 5, headline: true, ratio: {of: jit, to: new, published: 1.25, tolerance: 10 %}}
    - {text: New serves more, place: p. 3, table: versions, order: {more: new, than: old}}
    - {text: It scales, place: p. 4, needs: {cores: 100000}, bound: {of: jit, to: old, above: 2}}
  YAML
  RATES = { "old" => 1000, "new" => 1050, "jit" => 1300 }.freeze
  SIZES = "sizes: {quick: {rounds: 3, budget: 90s}, full: {rounds: 30}}"

  # A laboratory that has measured the study of this folder.
  def repro(*argv, claims: CLAIMS, rates: RATES, more: SIZES, store: nil, **options)
    with_files(published_files(claims, more:)) do |dir|
      publication = Mohs::Repro::File.load("#{dir}/shop-2023")
      run = rates && reproduced(publication, rates) { |result| yield result if block_given? }
      plan = Mohs::Plan.build(fixture_study, seed: 1)
      @laboratory = FakeLaboratory.new(document: run, study: fixture_study, plan:)
      stored = run && Struct.new(:runs, :run).new([run.stored], run.stored)
      stored&.define_singleton_method(:result) { |_| run.stored }
      return mohs("repro", *argv, dir:, laboratory: -> { @laboratory }, store: -> { stored },
                  **options)
    end
  end

  test "without a name, or with --list, it lists the studies of the checkout" do
    plain, listed = mohs("repro"), mohs("repro", "--list")

    assert_equal [0, ""], [plain.status, plain.err]
    assert_equal plain.out, listed.out
    Mohs::Repro::Library.new.names.each { |name| assert_match(/^#{name} /, plain.out) }
    assert_equal Mohs::Repro::Library.new.names,
                 mohs("repro", "--json").json[:studies].map { |one| one[:name] }
  end

  test "a folder's study is measured as it is declared, with the variants that are needed" do
    output = repro("shop-2023")

    assert_equal [0, "shop-2023: 2 of 3 claims can be tested here\n"], [output.status, output.err]
    given = @laboratory.declaration
    assert_equal ["old", %w[jit new old]],
                 [given[:baseline], given[:variants].map { |_, one| one.label }.sort]
    assert_equal [nil, nil, nil], given.values_at(:rounds, :budget_s, :seed)
    assert_equal ["shop-2023", 3, nil], given[:published].values_at(:name, :levels, :size)
    sentence = "A. Author and others 2023: Rubies under a shop. 3 levels there, 3 here; " \
               "3 claims: 2 agree, 1 not testable here."
    assert_operator output.out.tr("\n", " "), :start_with?, sentence
  end

  test "--quick and --full are what the study declares; the command line takes precedence" do
    repro("shop-2023", "--quick")
    assert_equal [3, 90.0], @laboratory.declaration.values_at(:rounds, :budget_s)
    repro("shop-2023", "--full")
    assert_equal [30, nil], @laboratory.declaration.values_at(:rounds, :budget_s)
    repro("shop-2023", "--quick", "--budget", "1h", "--seed", "5")
    assert_equal [3, 3600.0, 5], @laboratory.declaration.values_at(:rounds, :budget_s, :seed)
    output = repro("shop-2023", "--full", more: "")
    assert_equal 2, output.status
    assert_includes output.err, "shop-2023 has no size full: see sizes in its published.yml"
  end

  test "--only measures and judges a part" do
    repro("shop-2023", "--only", "quarter")

    assert_equal %w[jit new], @laboratory.declaration[:variants].map { |_, one| one.label }.sort
    assert_equal ["JIT gains a quarter"],
                 @laboratory.declaration[:published][:tests].map { |test| test[:claim] }
  end

  test "the document has the claims, with both figures and the judgement" do
    json = repro("shop-2023", "--json").json

    assert_empty Mohs::JSONContract.new("In every document", "`repro`").faults(json)
    row = Mohs::JSONContract.new("A row", bare: true)
    assert_empty(json[:rows].flat_map { |one| row.faults(one) })
    assert_equal [%w[agrees agrees not_testable], { agrees: 2, direction_only: 0, contradicted: 0,
                                                    undecided: 0, not_testable: 1 }],
                 [json[:claims].map { |one| one[:judgement] }, json[:counts]]
    first = json[:claims].first
    assert_equal ["JIT gains a quarter", "table 5", 1.25, true, "ratio"],
                 first.values_at(:text, :place, :published, :headline, :kind)
    assert_in_delta 1300 / 1050.0, first[:value], 0.02
    assert_match(/needs 100000 cores/, json[:claims].last[:reason])
  end

  test "the list is a document too" do
    json = mohs("repro", "--json").json

    assert_empty Mohs::JSONContract.new("`repro --list`").faults(json)
  end

  test "where nothing can be tested, nothing is measured, and it is said why" do
    only = "- {text: A, place: p, not_testable: needs a proxy}\n"
    output = repro("shop-2023", claims: only, rates: nil)

    assert_equal 0, output.status, output.err
    assert_nil @laboratory.declaration
    assert_match(/not testable here: needs a\s+proxy/, output.out)
    json = repro("shop-2023", "--json", claims: only, rates: nil).json
    assert_empty Mohs::JSONContract.new("In every document", "`repro`").faults(json)
  end

  test "--resume continues the last run of the study, and shows one that has ended" do
    ended = repro("shop-2023", "--resume")
    assert_equal [0, nil], [ended.status, @laboratory.resumed]
    assert_includes ended.out, "JIT gains a quarter"

    stopped = repro("shop-2023", "--resume") { |result| result[:run][:state] = "interrupted" }
    assert_equal "7c1a", @laboratory.resumed
    assert_includes stopped.out, "continue: mohs repro shop-2023 --resume"
    never = repro("shop-2023", "--resume") { |result| result[:run][:study].delete(:published) }
    assert_equal [2, "mohs: shop-2023 has no run yet: mohs repro shop-2023\n"],
                 [never.status, never.err]
  end

  test "a dry run prints the plan" do
    output = repro("shop-2023", "--quick", "--dry-run")

    assert_equal 0, output.status, output.err
    assert_includes output.out, "variants, in boot order"
    refute_includes output.out, "quarter"
  end

  { %w[nothing] => 'no published study is called "nothing"',
    %w[shop-2023 --quick --full] => "--quick and --full exclude each other.",
    %w[shop-2023 --resume --quick] => "--resume continues a run as it was begun",
    %w[shop-2023 --list] => "--list takes no name.",
    %w[--quick] => "name a study: mohs repro NAME. Known: gc-compact, ",
    %w[--resume] => "name a study: mohs repro NAME.",
    %w[--dry-run] => "name a study: mohs repro NAME.",
    %w[shop-2023 --only nonsense] => "no claim of shop-2023 is about",
    %w[a b] => 'unexpected argument: "b"' }.each do |argv, message|
    test "mohs repro #{argv.join(' ')} is a mistake" do
      output = repro(*argv)

      assert_equal [2, ""], [output.status, output.out]
      assert_includes output.err, message
    end
  end

  test "a fault in the file ends with its own status" do
    output = repro("shop-2023", claims: CLAIMS).then do
      with_files(published_files("- {text: A, place: p}\n")) do |dir|
        mohs("repro", "shop-2023", dir:)
      end
    end

    assert_equal [3, ""], [output.status, output.out]
    assert_includes output.err, "mohs: published.yml: claims/1: should have one of"
  end
end
