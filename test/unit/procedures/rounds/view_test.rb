# frozen_string_literal: true

require "test_helper"

# What a run's view says of variants that can't be told apart.
class RunViewTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-rounds"

  # Rows for these names, of which each group shares a letter, and a baseline below them.
  def view(names, *groups, outcome: "undecided", rounds: 3)
    letters = groups.zip("a".."zz").map { |variants, mark| { mark:, variants: } }
    rows = names.map do |variant|
      group = letters.filter_map { |one| one[:mark] if one[:variants].include?(variant) }.join
      row(variant, group: group.empty? ? nil : group, verdict: { outcome:, text: outcome })
    end
    rows << row("base", baseline: true, group: nil, verdict: { outcome: nil, text: "baseline" })
    Mohs::Report::Views.of({ command: "run", sentence: "", state: "finished", run: "7c1a", rows:,
                             groups: letters, reasons: [], baseline: "base",
                             rounds: { done: 3, planned: 3, closer: rounds } })
  end

  def row(variant, **facts)
    { variant:, state: "measured", baseline: false, latency_ms: {}, **facts }
  end

  def said(...) = view(...).remarks.map { |one| [one.name, one.text] }

  def letters?(view) = view.table(:variants).columns.any?(&:marks)

  test "letters tell groups apart, and one line explains them" do
    assert_equal [["marks", Mohs::Report::Render.text("run_marks")]], said(%w[1 2 3], %w[1 2])
    assert letters?(view(%w[1 2 3], %w[1 2]))
  end

  # The 27th group is called "aa": a letter of its name is that of the first.
  test "of many groups one is told from another by its members, not by its letters" do
    shown = { command: "run", sentence: "", state: "finished", run: "7c1a", reasons: [],
              baseline: "base", rounds: { done: 3, planned: 3 },
              groups: [{ mark: "a", variants: %w[gone] }, { mark: "aa", variants: %w[1 2] }],
              rows: [*%w[1 2].map { |name| row(name, group: "aa", verdict: {}) },
                     row("base", baseline: true, group: nil, verdict: {})] }
    refute letters?(Mohs::Report::Views.of(shown))
  end

  test "where none can be told apart a line says so, and what would tell them apart" do
    all = view(%w[1 2 3], %w[1 2 3], rounds: 20)

    refute letters?(all)
    assert_said(*all.remarks.first.to_h.values_at(:name, :text))
    assert_operator said(%w[1 2], %w[1 2]).first.last, :start_with?,
                    "the two beside the baseline can't be told apart here; --rounds"
  end

  test "of those that are known to be equal nothing more is asked" do
    assert_equal [["equal", "the two beside the baseline can't be told apart here"]],
                 said(%w[1 2], %w[1 2], outcome: "equivalent")
  end

  test "who has no interval yet is not said to be undecided" do
    assert_equal "marks", said(%w[1 2 3], %w[1 2]).first.first
  end

  test "without groups nothing is said" do
    assert_empty said(%w[1 2])
    refute letters?(view(%w[1 2]))
  end
end
