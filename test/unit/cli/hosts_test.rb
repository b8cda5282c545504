# frozen_string_literal: true

require "test_helper"

class CLIHostsTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-hosts"

  KIND = { cores: 4, memory_bytes: 8_000_000_000 }.freeze

  def setup
    @dir = Dir.mktmpdir("mohs-test")
    @clock = Mohs::StoreHelper::FakeClock.new(1_000_000)
    @store = Mohs::Store.open(File.join(@dir, "mohs.db"), clock: @clock)
  end

  def teardown
    @store.close
    FileUtils.rm_rf(@dir)
  end

  def hosts(*argv) = mohs("hosts", *argv, store: -> { @store })

  def see(name, **facts)
    @store.see_host(name, fingerprint: KIND, queues: ["host_#{name}", "fp_1"],
                          **{ version: Mohs::VERSION, **facts })
  end

  def measuring
    plan = { seed: 1, rounds: 1, dropped: [],
             cohorts: [{ round: 2, position: 0, variants: %w[3.1.2 3.4.5] }] }
    study = { app: "/srv/shop", requests: [], env: {}, baseline: "3.1.2", variants: [] }
    @run = @store.create_run(study:, plan:, fingerprint: {}, provenance: {})
    @store.cohorts(@run.id).first.id
  end

  test "each host with what it is and does, the silent ones as such" do
    see("old")
    @clock.real_ms += 60_000
    see("a", cohort: measuring)
    see("b")
    lines = hosts.out.lines(chomp: true)

    assert_match(/\Ahost +state +kind +machine +does\z/, lines.first)
    assert_match(/\Aa +measures +fp_1 +4 cores, 7.5 GB +run #{@run.key}, round 2: 3.1.2 · 3.4.5\z/,
                 lines[1])
    assert_match(/\Ab +waits +fp_1 /, lines[2])
    assert_match(/\Aold +silent for 1 min +fp_1 /, lines[3])
    json = hosts("--json").json
    assert_empty Mohs::JSONContract.new("`hosts`").faults(json)
    assert_equal %w[measures waits silent], json[:hosts].map { |one| one[:state] }
  end

  test "a host with another version of mohs measures nothing for this one" do
    see("a", version: "0.0.9")

    assert_match(/^a +waits .*  nothing .*\(#{Mohs::VERSION}\): .* 0\.0\.9$/,
                 hosts.out)
  end

  test "a host whose cohort was deleted waits for nothing that can be shown" do
    see("a", cohort: 999)

    assert_nil hosts("--json").json[:hosts].first[:cohort]
  end

  test "the table ends with its last line" do
    see("a")

    assert_match(/ cores, [^\n]*\n\z/, hosts.out)
  end

  test "the local store has no hosts, and what a fleet needs is said" do
    output = hosts

    assert_equal 0, output.status
    assert_said(output.out)
    refute hosts("--json").json.fetch(:shared)
  end

  test "without hosts it says how one becomes one" do
    @store.define_singleton_method(:shared?) { true }

    assert_match(/\Ano host .*\(mohs worker\)\n\z/, hosts.out)
  end

  test "hosts that have all stopped have worked" do
    @store.define_singleton_method(:shared?) { true }
    id = measuring
    %w[b a b].each { |host| @store.begin_attempt(id, host:, token: "#{host}:1:2") }

    assert_match(/\Ano host .*\(mohs worker\); .*: a, b\n\z/, hosts.out)
    json = hosts("--json").json
    assert_equal [true, %w[a b]], json.values_at(:shared, :earlier)
    assert_empty Mohs::JSONContract.new("`hosts`").faults(json)
  end
end
