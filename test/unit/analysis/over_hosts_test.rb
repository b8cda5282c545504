# frozen_string_literal: true

require "test_helper"

# What a fleet's hosts say of a variant, from their cohorts to the line below the table.
class AnalysisOverHostsTest < Mohs::TestCase
  OverHosts = Mohs::Analysis::OverHosts
  # Log differences of three hosts' cohorts; b is slow to gain.
  GAINS = { "a" => [0.19, 0.20, 0.21], "b" => [-0.03, -0.01, 0.01],
            "c" => [0.20, 0.21, 0.22] }.freeze

  def differences(gains = GAINS) = gains.flat_map { |host, own| own.map { |one| [host, one] } }

  def over(gains = GAINS, alpha: 0.05, **options)
    OverHosts.of(differences(gains), alpha:, **options)
  end

  def text(found) = Mohs::Report::Render.text("over_hosts", variant: "falcon 1", over: found)

  test "one host is no level" do
    assert_nil over(GAINS.slice("a"))
    assert_nil OverHosts.of([], alpha: 0.05)
  end

  test "each host speaks for itself, all of them as strictly as the run" do
    found = over
    alone = Mohs::Stats::Interval.of(GAINS["a"], level: 1 - (0.05 / 3)).exp

    assert_equal({ faster: %w[a c], undecided: %w[b] }, found.outcomes)
    assert_in_delta alone.low, found.hosts.first.interval.low
    assert_equal [3, 3, 3], found.hosts.map(&:cohorts)
    assert_equal %w[b], found.apart
    assert_operator found.interval.low, :<, 1, "what a fourth host would say"
  end

  test "the bias of the adjustment is in every interval" do
    plain, biased = over, over(bias: 0.1)

    assert_in_delta Math.log(plain.interval.high) + 0.1, Math.log(biased.interval.high)
    assert_equal plain.outcomes, biased.outcomes
    assert_equal({ undecided: %w[a b c] }, over(bias: 0.3).outcomes)
  end

  test "what hosts agree on, and what is to be expected of the next" do
    gains = { "a" => [0.19, 0.20, 0.21], "b" => [0.18, 0.2, 0.22], "c" => [0.20, 0.21, 0.22] }
    assert_match(/\Afalcon 1: faster on 3 of 3 hosts; .* 23 % faster \[21, 24\]\z/,
                 text(over(gains)))
  end

  test "hosts that say otherwise, and those that differ, are named" do
    assert_match(/\Afalcon 1: faster on 2 of 3 hosts, undecided on b; .* 16 % .* 56 % faster;/,
                 text(over))
    assert_match(/; b \(1\.0 % slower\) differs/, text(over))
    assert_equal "falcon 1: faster on 1 of 2 hosts, slower on b; they differ: a (22 % " \
                 "faster), b (22 % slower)",
                 text(over({ "a" => GAINS["a"], "b" => [-0.26, -0.25, -0.24] }))
  end

  test "a run knows them of each row, a comparison of its candidate" do
    found = analysis({ "x" => 1000, "y" => 1300, "z" => 800 }, %w[a b c] * 3)
    rows = found.rows.to_h { |row| [row.name, found.over_hosts(row)&.outcomes] }

    assert_equal({ "x" => nil, "y" => { faster: %w[a b c] }, "z" => { slower: %w[a b c] } }, rows)
    notes = Mohs::Report::Notes.new(found).to_a.select { |note| note[:name] == "hosts" }
    assert_equal ["\"y\": faster on 3 of 3 hosts", "\"z\": slower on 3 of 3 hosts"],
                 notes.map { |note| note[:text].split("; ").first }
    row = Mohs::Report::Model.build(found)[:rows].first
    assert_equal [%w[a b c], [3, 3, 3], []],
                 [*%i[host cohorts].map { |key| row[:over_hosts][:hosts].map { _1[key] } },
                  row[:over_hosts][:apart]]
  end

  test "without a fleet, or on one of its hosts, there is nothing to say" do
    [[nil] * 9, %w[a] * 9].each do |hosts|
      found = analysis({ "x" => 1000, "y" => 1300 }, hosts)
      assert_equal [nil, nil], found.rows.map { |row| found.over_hosts(row) }
    end
  end

  def analysis(rates, hosts)
    result = SampleResult.new(rates, rounds: hosts.size).to_h
    result[:cohorts].zip(hosts) do |cohort, name|
      cohort[:host] = { **cohort[:host], name: }.compact
    end
    Mohs::Analysis::Run.new(Mohs::Stored.run(result))
  end
end
