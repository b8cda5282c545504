# frozen_string_literal: true

require "test_helper"

class TuneRulesTest < Mohs::TestCase
  Rules = Mohs::Tune::Rules

  test "a price is of an hour of a core, and of a gigabyte" do
    assert_equal({ core_hour: 0.04, gb_hour: 0.005 }, Rules.price("0.04,0.005"))
    assert_equal({ core_hour: 1.0, gb_hour: 0.0 }, Rules.price("1,0"))
  end

  ["", "0.04", "a,b", "-1,2", "1,2,3"].each do |text|
    test "#{text.inspect} is no price" do
      error = assert_raises(Mohs::UsageError) { Rules.price(text) }
      assert_includes error.message, "price #{text.inspect}: write"
    end
  end

  test "a rate is a number above 0" do
    assert_equal [200.0, 0.5], [Rules.rate("200"), Rules.rate("0.5")]
    ["", "0", "-1", "many", "1e999", "100..200"].each do |text|
      error = assert_raises(Mohs::UsageError) { Rules.rate(text) }
      assert_includes error.message, "--rate #{text}: "
    end
  end

  test "several processes get more connections than threads, since these are not spread evenly" do
    counts = [[1, 5], [2, 1], [2, 3], [4, 2], [16, 100]].map do |processes, threads|
      Rules.connections(processes:, threads:)
    end

    assert_equal [5, 18, 22, 40, 256], counts
  end

  test "a study keeps it through JSON" do
    left_out = [{ name: "3x1", code: "more_processes_than_cores",
                   values: { processes: 3, cores: 2 } }]
    cgroup = { cores: 1.5, memory_bytes: nil, processes: 1 }
    limit = Mohs::Load::Limit.parse("p99 < 200 ms")
    tuning = Rules.new(limit:, memory_bytes: 1, left_out:, cgroup:,
                        price: { core_hour: 1.0, gb_hour: 2.0 }, wanted_per_s: 200.0)
    study = Mohs::Study.new(app: "/srv/shop", requests: [], variants: [], env: {}, rules: tuning)
    again = Mohs::Study.from_h(JSON.parse(JSON.generate(study.to_h), symbolize_names: true))

    assert_equal tuning, again.rules
    assert_equal Rules::MARGIN, again.rules.margin
    assert again.rules.frozen?
  end
end
