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
    assert_equal "requests/s +35.0 % [34.6, 35.3]", look([0.3, 0.301, 0.299, 0.3])
  end

  test "a metric of which less is better is told as it counts" do
    assert_equal "p50 -26 % [-31, -21]", look([0.3, 0.31, 0.29], comparison: { metric: "p50" })
  end
end
