# frozen_string_literal: true

require "test_helper"

class HtmlIntervalsTest < Mohs::TestCase
  # An interval is equal if both ends are within the margin, whichever side is over the other.
  test "the band of a margin reaches as far to the left as the test of equality does" do
    point = { name: "b", text: "", value: 1.1, ends: [0.8, 1.4], tone: :open }
    intervals = Mohs::Report::View::Section::Intervals.new(key: "x", title: "t", text: "",
                                                           points: [point], margin: 0.5)
    drawn = Mohs::Report::Html::Intervals.new(intervals, id: "s").to_element
    text = Mohs::Report::Html::Markup.write(drawn)
    band = text[/<rect[^>]*class="margin"[^>]*>/]
    left, width = %w[x width].map { |name| band[/ #{name}="([\d.]+)%?"/, 1].to_f }
    zero = text[/<line[^>]*zero[^>]*>/][/ x1="([\d.]+)%?"/, 1].to_f

    assert_in_delta zero - left, left + width - zero, 0.02
  end

  test "a point's shape is its own, or says its tone" do
    points = [[:good, nil], [:bad, nil], [:even, nil], [:open, nil], [nil, nil], [:bad, :cross],
              [:good, :disc]].map { |tone, shape| { name: "", text: "", value: 1, tone:, shape: } }
    intervals = Mohs::Report::View::Section::Intervals.new(key: "x", title: "t", text: "", points:)
    drawn = Mohs::Report::Html::Intervals.new(intervals, id: "s").to_element
    marks = Mohs::Report::Html::Markup.write(drawn).scan(/<g class="m ([^"]*)"/).flatten

    assert_equal ["up t-good", "down t-bad", "square t-even", "disc t-open", "disc", "cross t-bad",
                  "disc t-good"], marks
  end
end
