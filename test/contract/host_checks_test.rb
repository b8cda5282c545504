# frozen_string_literal: true

require "test_helper"
require_relative "../examples/host_examples"
require "json"

# What every check of the host has in common, whatever it looks at.
class HostChecksContractTest < Mohs::TestCase
  include Mohs::DoctorHelper
  include Mohs::Screens

  Host = Mohs::Analysis::Host
  Render = Mohs::Report::Render

  NOTHING = { activity: nil, pressure: nil, spins: nil }.freeze
  BUSY = { foreign_cpu_share: 0.9, steal_share: 0.4, throttled: 3, swapped: 9,
           processes: [{ name: "make", share: 0.8 }] }.freeze
  WORST = { activity: BUSY, pressure: 70.0, cpus: [0],
            spins: [Mohs::Analysis::FixedWorkSample.new(cpu: 0, wall_ns: 10, cpu_ns: 1, away_ns: 9,
                                             longest_ns: 4, bins: [0, 0, 9])] }.freeze

  def bare = TREE.transform_values { nil }

  def stored(data) = JSON.parse(JSON.generate(data), symbolize_names: true)

  Host.names.each do |name|
    test "#{name}: a quiet host is well, with nothing to do" do
      found = find(name)

      assert_equal [name, :ok, nil], [found.member, found.severity, Render.remedy(found)]
    end

    test "#{name}: what can't be read is unknown, never well" do
      found = find(name, bare, **NOTHING)
      wanted = name == "cores" ? [:ok, 2] : [:unknown, nil] # these are always known

      assert_equal wanted, [found.severity, found.values[:value]]
    end

    test "#{name}: finds the same in the same facts, and is restored from the store" do
      first, second = Array.new(2) { find(name, **WORST) }
      back = Host.load(stored(Host.dump(first)))

      assert_equal first, second
      assert_equal [first.code, first.severity], [back.code, back.severity]
      assert_equal Render.call(first), Render.call(back)
    end

    test "#{name}: what speaks against a host comes with a remedy" do
      found = find(name, **WORST)

      assert_equal found.against?, !Render.remedy(found).to_s.empty?, found
    end

    test "#{name}: files full of rubbish are no fault of ours" do
      found = find(name, TREE.transform_values { "\xff\x00 - ::\nnonsense" }, **NOTHING)

      refute_empty Render.call(found)
    end
  end

  test "every finding in words" do
    codes = Host.names.flat_map do |name|
      (Host.words(name).keys - [:recorded]).map { |kind| "#{name}.#{kind}" }
    end
    found = Mohs::HostExamples::ALL.map { |code, given| [code, find(code.split(".").first, **given)] }

    assert_equal codes.sort, found.map(&:first).sort
    found.each { |code, finding| assert_equal code, finding.code }
    assert_golden("host-checks", found.map { |_, finding| line(finding) }.join)
  end

  def line(finding)
    remedy = Render.remedy(finding)
    text = [Render.call(finding), *("-> #{remedy}" if remedy)].join(" ")
    "#{finding.severity.to_s.ljust(8)} #{finding.code}: #{text}\n"
  end

  test "of other processes that are not known by name only the share is reported" do
    activity = Mohs::DoctorTree::QUIET.merge(foreign_cpu_share: 0.09)

    refute_includes Render.call(find("other_processes", activity:)), ":"
  end

  test "no two families have a member of one name: a code names one template" do
    assert_empty Mohs::Analysis::Checks.names & Host.names
  end

  test "all are found in the order that is meant, labelled apart" do
    with_facts do |facts|
      found = Host.call(facts)

      assert_equal Host.names, found.map(&:member)
      assert_equal found.size, found.map { |one| Host.member(one.member).label }.uniq.size
    end
  end

  test "the cheap ones need no core for themselves" do
    with_facts(spins: nil) do |facts|
      assert_equal %w[gaps own_cpu speed correlation],
                   Host.names - Host.cheap(facts).map(&:member)
    end
  end

  test "the manual has every check, with its thresholds" do
    page = File.read(File.join(Mohs.root, "docs/doctor.md"), encoding: "UTF-8")

    assert_empty(Host.names.reject { |name| page.include?("| `#{name}` |") })
  end
end
