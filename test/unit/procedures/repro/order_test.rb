# frozen_string_literal: true

require "test_helper"

class ReproOrderTest < Mohs::TestCase
  include Mohs::Published

  CLAIM = "- {text: A, place: p, order: {more: jit, than: new}}\n"
  SIZES = "sizes: {quick: {rounds: 3, budget: 90s}, full: {rounds: 30}}"

  def order(size: nil, more: SIZES, only: nil)
    Mohs::Repro::Order.new(choice: choose(publication(CLAIM, more:), only:), size:, only:)
  end

  # A run that reproduces this.
  def stored(published)
    rules = Mohs::Repro::Rules.new(published:)
    Mohs::Store::Run.new(study: Mohs::Study.new(variants: [], rules:))
  end

  test "a declaration is the study's, of the size asked for, under the person's options" do
    plain, quick, full = [nil, "quick", "full"].map { |size| order(size:).declaration({}) }

    assert_equal [[nil, nil], [3, 90.0], [30, nil]],
                 [plain, quick, full].map { |one| one.values_at(:rounds, :budget_s) }
    assert_equal [3, 5.0, 7],
                 order(size: "quick").declaration({ budget_s: 5.0, seed: 7 })
                                     .values_at(:rounds, :budget_s, :seed)
    assert_equal %w[old study.yml], plain.values_at(:baseline, :baseline_from)
    assert_empty %i[baseline baseline_from] & order(only: "jit").declaration({}).keys
    assert_equal plain[:file], plain[:published][:file]
  end

  test "a size may have a server for all variants, which keep the rest" do
    sized = "sizes: {full: {server: 'puma:10x6 preload'}}"
    plain, full = [SIZES, sized].map do |more|
      order(size: "full", more:).declaration({})[:variants].map(&:last)
    end

    assert_equal [["puma:10x6", true]], full.map { |one| [one.server, one.preload] }.uniq
    assert_equal plain.map { |one| one.to_h.except(:server, :preload) },
                 full.map { |one| one.to_h.except(:server, :preload) }
    refute order(size: "full", more: sized).declaration({}).key?(:served)
  end

  test "a size may leave out variants that no claim is about" do
    sized = "sizes: {quick: {rounds: 3, without: [old]}}"
    publication = publication(CLAIM, more: sized)
    choice = choose(publication, without: %w[old])
    made = Mohs::Repro::Order.new(choice:, size: "quick")

    assert_equal %w[jit new], choice.variants.map { |_, one| one.label }.sort
    assert_equal [["old"], []], [made.to_h[:without], order.to_h[:without]]
    refute made.declaration({}).key?(:without)
  end

  test "a size that the study lacks is a mistake" do
    error = assert_raises(Mohs::UsageError) { order(size: "full", more: "").declaration({}) }

    assert_includes error.message, "shop-2023 has no size full: "
  end

  test "what is stored says what was asked for, and its tests can be read again" do
    one = order(size: "quick", only: "jit")
    run = stored(one.to_h)

    assert_equal ["shop-2023", "quick", "jit", 3],
                 one.to_h.values_at(:name, :size, :only, :levels)
    assert_equal one.choice.tests, Mohs::Repro::Order.tests(run)
  end

  # Of every kind that has something of its own.
  test "the claims are stored as they are, those that were not asked for as well" do
    more = <<~YAML
      - {text: B, place: p, table: T, headline: true, ratio: {of: jit, to: old, published: 1.3, tolerance: 7 %}}
      - {text: C, place: p, equal: {of: jit, to: old, since: [new, new], metric: cpu, margin: 3 %}}
      - {text: D, place: p, order: {more: GC, than: JSON, in: jit}}
      - {text: E, place: p, survives: {levels: [old], at_most: 7 %}}
      - {text: F, place: p, compiled: {level: jit, method: m, at_least: 2}}
      - {text: G, place: p, warm: {levels: [jit], within: 9}}
      - {text: H, place: p, not_testable: a reason}
    YAML
    study = "#{Mohs::Published::STUDY}profile: true\n"
    publication = publication("#{CLAIM}#{more}", study:)
    order = Mohs::Repro::Order.new(choice: choose(publication, only: "A"), only: "A")
    published = JSON.parse(JSON.generate(order.to_h), symbolize_names: true)
    claims = Mohs::Repro::Order.claims(stored(published))

    members = %i[id text place table headline statement]
    assert_equal publication.claims.map { |claim| claim.to_h.slice(*members) },
                 claims.map { |claim| claim.to_h.slice(*members) }
  end
end
