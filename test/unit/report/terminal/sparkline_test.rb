# frozen_string_literal: true

require "test_helper"

class SparklineTest < Mohs::TestCase
  test "bars: the highest fills, little is seen, nothing is blank" do
    spark = Mohs::Report::Terminal::Sparkline

    assert_equal "█▁ ▄", spark.of([100, 1, 0, 50])
    assert_equal "   ", spark.of([0, 0, 0])
    assert_equal "", spark.of([])
  end
end
