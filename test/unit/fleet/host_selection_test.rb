# frozen_string_literal: true

require "test_helper"

class FleetHostSelectionTest < Mohs::TestCase
  Fleet = Mohs::Fleet
  SMALL = { cpu: "Xeon", cores: 4, memory_bytes: 8 * (2**30), virtual: false, kernel: "6.1" }.freeze
  LARGE = { **SMALL, cores: 16 }.freeze

  def host(name, fingerprint)
    queues = [Fleet.queue_of(name), Fleet.queue_of_kind(fingerprint)]
    Mohs::Store::Host.new(name:, fingerprint:, queues:)
  end

  HOSTS = [["a", SMALL], ["b", LARGE], ["c", { **SMALL, kernel: "6.9" }]].freeze
  def hosts = HOSTS.map { |name, fingerprint| host(name, fingerprint) }

  test "the hosts of the kind that most are of, whatever their kernel, share the cohorts" do
    queue = Fleet.queue_of_kind(SMALL)

    assert_match(/\Afp_\h{8}\z/, queue)
    assert_equal [queue] * 2, Fleet::HostSelection.new.queues(hosts)
    refute_equal queue, Fleet.queue_of_kind(LARGE)
  end

  test "a run is about the machine of the first host that measures" do
    store = Struct.new(:all) { def hosts(within_s:) = within_s ? all : [] }.new(hosts)

    assert_equal SMALL, Fleet::HostSelection.new.fingerprint(store)
    assert_equal LARGE, Fleet::HostSelection.new(same: "b").fingerprint(store)
  end

  test "so many hosts of whatever kind, or one" do
    assert_equal %w[host_a host_b], Fleet::HostSelection.new(hosts: 2).queues(hosts)
    assert_equal %w[host_b], Fleet::HostSelection.new(same: "b").queues(hosts)
  end

  { [] => [{}, "the fleet has no active host: start mohs worker on one."],
    HOSTS => [{ hosts: 4 }, "--hosts 4: 3 are there (a, b, c)."] }.each do |there, (options, said)|
    test "#{there.size} hosts and #{options} are an error that says what is there" do
      known = there.map { |name, fingerprint| host(name, fingerprint) }
      error = assert_raises(Mohs::EnvironmentError) { Fleet::HostSelection.new(**options).queues(known) }
      assert_equal said, error.message
    end
  end

  test "a host that is not there is a mistake, as is a name that no queue may have" do
    error = assert_raises(Mohs::UsageError) { Fleet::HostSelection.new(same: "d").queues(hosts) }
    assert_match(/\A--same-host d: /, error.message)
    assert_raises(Mohs::UsageError) { Fleet.verified_name("a b") }
    assert_equal "db-1.lab", Fleet.verified_name("db-1.lab")
  end
end
