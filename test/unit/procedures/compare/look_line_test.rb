# frozen_string_literal: true

require "test_helper"

class CompareLookTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-compare"

  def look(differences, **options)
    document = Mohs::Stored.document(CompareResult.new(differences, **options).to_h)
    Mohs::Compare::ProgressText.look(document)
  end

  test "one cohort has no effect, two have no interval" do
    assert_equal "requests/s", look([])
    assert_said(look([0.3]))
    assert_equal "requests/s +35 %", look([0.3, 0.3])
  end

  test "the interval closes in, from the first look on" do
    assert_equal "requests/s +35 % [27, 44]", look([0.3, 0.31, 0.29])
    noisy = [0.02, -0.03, 0.01, 0.0, 0.0]
    assert_equal ["requests/s +0.0 % [-16, 19]", "requests/s +0.0 % [-4, 4]"],
                 [look(noisy.first(3)), look(noisy)]
  end

  test "what is decided stays" do
    assert_equal look([0.3, 0.31, 0.29]), look([0.3, 0.31, 0.29, 0.3, 0.3])
  end

  # A neighbour slows every third slice; alone, three times as much.
  def restless(slice, name, index, cohort)
    every = { "a" => 3, "b" => 4 }.fetch(name)
    slow = ((index + cohort + name.ord) % every).zero? ? 1.3 : 1.0
    slice[:facts] = { pulse: { pace_ns: 300 * slow } }
    %i[wall_ns cpu_ns p50_ns].each do |time|
      slice[time] = (slice[time] * (slow**(cohort == 3 ? 3 : 1))).round
    end
  end

  test "what the line says of a decided comparison, the table says: being measured alone, too" do
    slice = ->(one, name, index, cohort) { restless(one, name, index, cohort) }
    result = CompareResult.new([0.301, 0.3, 0.299, 0.4], slice:).to_h
    alone = result[:cohorts][3]
    live = Mohs::Stored.document({ **result, cohorts: result[:cohorts].first(3) })
    alone[:spec] = { solo: true }
    final = Mohs::Stored.document(result)

    assert final[:cohorts][:alone_s]
    assert_equal Mohs::Compare::ProgressText.look(live), Mohs::Compare::ProgressText.look(final)
    assert_includes final[:sentence], Mohs::Compare::ProgressText.look(live)[/\[.*\]/]
  end

  test "a metric of which less is better is told as it counts" do
    assert_equal "p50 -26 % [-31, -21]", look([0.3, 0.31, 0.29], comparison: { metric: "p50" })
  end
end
