# frozen_string_literal: true

require "test_helper"

class ErrorRateTest < Mohs::TestCase
  Row = Struct.new(:errors, :requests, keyword_init: true)

  def rate(errors, requests, base = nil, candidates: 1)
    row = Row.new(errors:, requests:)
    base &&= Row.new(errors: { "timeout" => base[0] }, requests: base[1])
    Mohs::Analysis::ErrorRate.of(row, baseline: base, candidates:)
  end

  test "shares are compared by Fisher's test" do
    found = rate({ "timeout" => 6, "wrong_body" => 2 }, 4000, [0, 4000])

    assert_equal [8, 4000, 0.002], [found.total, found.sent, found.share]
    assert_in_delta Mohs::Stats::Fisher.p(8, 3992, 0, 4000), found.p, 1e-15
    assert_predicate found, :differs?
  end

  test "all candidates share one chance to be wrong" do
    found = [1, 4].map do |candidates|
      rate({ "timeout" => 8 }, 4000, [0, 4000], candidates:).differs?
    end
    assert_equal [true, false], found
  end

  test "without a baseline, without requests or errors nothing differs" do
    assert_equal [nil, false], rate({ "timeout" => 8 }, 4000).then { |one| [one.p, one.differs?] }
    assert_equal [nil, 1.0], rate({}, 0, [3, 3]).then { |one| [one.share, one.p] }
    assert_equal [1.0, false], rate({}, 10, [0, 10]).then { |one| [one.p, one.differs?] }
  end
end
