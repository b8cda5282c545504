# frozen_string_literal: true

require "test_helper"
require "json"

# What every check of the host has in common, whatever it looks at.
class DoctorChecksContractTest < Mohs::TestCase
  include Mohs::DoctorHelper

  NOTHING = { activity: nil, pressure: nil, spins: nil }.freeze
  BUSY = { foreign_cpu_share: 0.9, steal_share: 0.4, throttled: 3, swapped: 9,
           processes: [{ name: "make", share: 0.8 }] }.freeze
  WORST = { activity: BUSY, pressure: 70.0, cpus: [0],
            spins: [Mohs::Doctor::Spin.new(cpu: 0, wall_ns: 10, cpu_ns: 1, away_ns: 9,
                                           longest_ns: 4, gaps: 2, bins: [0, 0, 9])] }.freeze

  def bare = TREE.transform_values { nil }

  Mohs::Doctor::Checks.names.each do |name|
    test "#{name}: a quiet host is well, with nothing to do" do
      result = find(name)

      assert_equal [name, "ok", nil], [result.name, result.level, result.remedy]
      refute_empty result.detail
      assert_predicate result, :frozen?
    end

    test "#{name}: what can't be read is unknown, never well" do
      result = find(name, bare, **NOTHING)
      wanted = name == "cores" ? ["ok", 2, nil] : ["unknown", nil, nil] # these are always known

      assert_equal wanted, result.to_h.values_at(:level, :value, :remedy)
      refute_empty result.detail
    end

    test "#{name}: says the same of the same facts, and in a document" do
      first, second = Array.new(2) { find(name, **WORST).to_h }

      assert_equal first, second
      assert_equal first, JSON.parse(JSON.generate(first), symbolize_names: true)
    end

    test "#{name}: what speaks against a host comes with a remedy" do
      result = find(name, **WORST)

      assert_equal %w[warn bad].include?(result.level), !result.remedy.to_s.empty?, result.inspect
    end

    test "#{name}: files full of rubbish are no fault of ours" do
      result = find(name, TREE.transform_values { "\xff\x00 - ::\nnonsense" }, **NOTHING)

      assert_includes %w[ok warn bad unknown], result.level
    end
  end

  test "all are told in the order that is meant, labelled apart" do
    with_facts do |facts|
      results = Mohs::Doctor::Checks.call(facts)

      assert_equal Mohs::Doctor::Checks::ORDER, results.map(&:name)
      assert_equal results.size, results.map(&:label).uniq.size
    end
  end

  test "the cheap ones need no core for themselves" do
    with_facts(spins: nil) do |facts|
      names = Mohs::Doctor::Checks.cheap(facts).map(&:name)

      assert_equal %w[gaps own_cpu speed correlation], Mohs::Doctor::Checks::ORDER - names
    end
  end

  test "the manual has every check, with its thresholds" do
    page = File.read(File.join(Mohs.root, "docs/doctor.md"), encoding: "UTF-8")

    assert_empty(Mohs::Doctor::Checks.names.reject { |name| page.include?("| `#{name}` |") })
  end
end
