# frozen_string_literal: true

require "test_helper"

class RoundsStudyFileTest < Mohs::TestCase
  Budget = Mohs::Rounds::Budget
  WORDS = { 3 => "three", 5 => "five", 120 => "two minutes" }.freeze

  def load(text)
    with_files("study.yml" => text) do |folder|
      return Mohs::Study::File.load(File.join(folder, "study.yml"))
    end
  end

  test "rounds and their budget are read from a study file" do
    assert_equal [5, 120.0], load("rounds: 5\nbudget: 2m\n").values_at(:rounds, :budget_s)
    assert_equal [nil, nil], load("seed: 1\n").values_at(:rounds, :budget_s)
  end

  # Numbers of the planner, which the manual repeats.
  test "the manual has the numbers by which rounds are planned" do
    text = Mohs::Study::Sections.text("rounds").gsub("\n# ", " ")

    assert_includes text, "up to #{WORDS.fetch(Mohs::Rounds::Draw::CANDIDATES + 1)} variants"
    assert_includes text, "Default: #{Budget::ROUNDS}, or up to #{Budget::MOST_ROUNDS} if they " \
                          "fit into #{WORDS.fetch(Budget::DEFAULT_S)};"
    assert_includes text, "until #{WORDS.fetch(Budget::ROUNDS)} rounds of the rest fit"
  end

  test "the manual of every measurement says nothing of how many rounds there are" do
    text = Mohs::Study::Sections.text("measurement")

    refute_match(/\brounds?\b|\bbudget\b/, text)
  end
end
