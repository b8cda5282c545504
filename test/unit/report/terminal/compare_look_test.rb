# frozen_string_literal: true

require "test_helper"

class CompareLookTest < Mohs::TestCase
  def look(differences, **options)
    document = Mohs::Stored.document(CompareResult.new(differences, **options).to_h)
    Mohs::Report::Change.look(document)
  end

  test "the interval closes in, from the first look on" do
    assert_equal "requests/s", look([])
    assert_equal "requests/s +35 %", look([0.3])
    assert_equal "requests/s +35 % [27, 44]", look([0.3, 0.31, 0.29])
    noisy = [0.02, -0.03, 0.01, 0.0, 0.0]
    assert_equal ["requests/s +0.0 % [-16, 19]", "requests/s +0.0 % [-4, 4]"],
                 [look(noisy.first(3)), look(noisy)]
  end

  test "what is decided stays" do
    assert_equal look([0.3, 0.31, 0.29]), look([0.3, 0.31, 0.29, 0.3, 0.3])
  end

  test "a metric of which less is better is told as it counts" do
    assert_equal "p50 -26 % [-31, -21]", look([0.3, 0.31, 0.29], comparison: { metric: "p50" })
  end
end
