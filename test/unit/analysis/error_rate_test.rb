# frozen_string_literal: true

require "test_helper"

class ErrorRateTest < Mohs::TestCase
  Row = Struct.new(:failed)

  # Of so many failed requests in each boot, of a thousand.
  def rate(failed, base = nil, candidates: 1, sent: 1000)
    rows = [failed, base].compact.map { |boots| Row.new(boots.map { |one| [one, sent] }) }
    Mohs::Analysis::ErrorRate.of(rows.first, baseline: rows[1], candidates:)
  end

  test "shares of boots are compared" do
    found = rate([9, 8, 10], [0, 0, 0])

    assert_equal [27, 3000, 0.009], [found.total, found.sent, found.share]
    assert_equal Mohs::Stats::BootShares.p([[0, 1000]] * 3, [9, 8, 10].map { |one| [one, 1000] }),
                 found.p
    assert_predicate found, :differs?
  end

  # As counts of requests, 24 of 4000 against none.
  test "what one boot of several has is no difference" do
    refute_predicate rate([24, 0, 0, 0], [0, 0, 0, 0]), :differs?
  end

  test "all candidates share one chance to be wrong" do
    found = [1, 40].map { |candidates| rate([9, 8, 10], [1, 0, 0], candidates:).differs? }

    assert_equal [true, false], found
  end

  test "without a baseline, without requests or errors nothing differs" do
    assert_equal [nil, false, false],
                 rate([8, 9]).then { |one| [one.p, one.differs?, one.untested?] }
    assert_equal [0, nil], rate([]).then { |one| [one.total, one.share] }
    assert_equal [1.0, false], rate([0, 0], [0, 0]).then { |one| [one.p, one.differs?] }
  end

  test "beyond chance it is better or worse than the baseline, else neither" do
    many, none = [9, 8, 10], [0, 0, 0]
    found = [[many, none], [none, many], [[0, 1], [1, 0]], [[9], [0]], [many]]

    assert_equal ["worse", "better", nil, nil, nil], found.map { |boots| rate(*boots).outcome }
  end

  test "a single boot of either can't tell" do
    found = [rate([9], [0]), rate([9], [0, 0]), rate([9, 9], [0])]

    assert_equal [[nil, false, true]], found.map { |one| [one.p, one.differs?, one.untested?] }.uniq
  end
end
