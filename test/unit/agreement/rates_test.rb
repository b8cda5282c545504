# frozen_string_literal: true

require "test_helper"
require_relative "../../../benchmark/agreement/rates"

class AgreementRatesTest < Mohs::TestCase
  test "a rate may be off by 2 %, or by 5 % where wrk's own differ by more than 2 %" do
    quiet = rates(line(wrk: [100.0, 101.0], load: [102.0, 102.0], run: 103.0))
    assert quiet.near?("load")
    refute quiet.near?("run")
    noisy = rates(line(wrk: [98.0, 102.0], load: [104.0, 105.0], run: 94.0))
    assert noisy.near?("load")
    refute noisy.near?("run")
  end

  test "a missing rate is not near" do
    refute rates(line(run: nil)).near?("run")
    assert_nil rates(line(run: nil)).off("run")
  end

  test "wrk is not trusted where its loads differ by more than a tenth" do
    assert_predicate rates(line(wrk: [100.0, 109.9])), :trusted?
    refute_predicate rates(line(wrk: [100.0, 111.0])), :trusted?
  end

  test "nor where it may leave a process without connections" do
    refute_predicate rates(line, row: "others unicorn:2 cpu/15 c4"), :trusted?
    assert_predicate rates(line, row: "others unicorn:2 cpu/15 c16"), :trusted?
  end

  test "the first measurement stays apart from the mean of all" do
    twice = rates(line(run: 90.0), line(run: 100.0))
    assert_in_delta(-0.05, twice.off("run"))
    assert_in_delta(-0.1, twice.first.off("run"))
    assert_equal [2, 1], [twice.times, twice.first.times]
  end

  test "tools are compared with each other, too" do
    assert_in_delta(-0.02, rates(line(load: [100.0, 100.0], run: 98.0)).off("run", "load"))
  end

  private

  def rates(*lines, row: "others unicorn:1 cpu/15 c4")
    row = Mohs::AgreementRow.all.find { |one| one.to_s == row }
    Mohs::AgreementRates.new(row, lines)
  end

  def line(wrk: [100.0, 100.0], load: [100.0, 100.0], run: 100.0)
    { "wrk" => wrk, "load" => load, "run" => run, "arithmetic" => 120.0 }
  end
end
