# frozen_string_literal: true

require "test_helper"

class FleetHostSelectionTest < Mohs::TestCase
  Fleet = Mohs::Fleet
  SMALL = { cpu: "Xeon", cores: 4, memory_bytes: 8 * (2**30), virtual: false, kernel: "6.1" }.freeze
  LARGE = { **SMALL, cores: 16 }.freeze

  def host(name, fingerprint, version: Mohs::VERSION)
    queues = [Fleet.queue_of(name), Fleet.queue_of_kind(fingerprint)]
    Mohs::Store::Host.new(name:, fingerprint:, queues:, version:)
  end

  # A store in which these are active.
  def store(*all) = Struct.new(:all) { def hosts(within_s:) = within_s ? all : [] }.new(all)

  HOSTS = [["a", SMALL], ["b", LARGE], ["c", { **SMALL, kernel: "6.9" }]].freeze
  def hosts = HOSTS.map { |name, fingerprint| host(name, fingerprint) }

  test "the hosts of the kind that most are of, whatever their kernel, share the cohorts" do
    queue = Fleet.queue_of_kind(SMALL)

    assert_match(/\Afp_\h{8}\z/, queue)
    assert_equal [queue] * 2, Fleet::HostSelection.new.queues(hosts)
    refute_equal queue, Fleet.queue_of_kind(LARGE)
  end

  test "hosts are counted that share a run" do
    counts = [{}, { hosts: 3 }, { same: "b" }].map do |options|
      Fleet::HostSelection.new(**options).count(store(*hosts))
    end

    assert_equal [2, 3, 1], counts
  end

  test "a run is about the machine of the first host that measures" do
    assert_equal SMALL, Fleet::HostSelection.new.fingerprint(store(*hosts))
    assert_equal LARGE, Fleet::HostSelection.new(same: "b").fingerprint(store(*hosts))
  end

  test "hosts with another version of mohs are left out, and an error if no others are there" do
    old, new = host("a", LARGE, version: "0.0.9"), host("b", SMALL)

    assert_equal SMALL, Fleet::HostSelection.new.fingerprint(store(old, new))
    [[{}, [old]], [{ same: "a" }, [old, new]]].each do |options, there|
      error = assert_raises(Mohs::EnvironmentError) do
        Fleet::HostSelection.new(**options).fingerprint(store(*there))
      end
      assert_equal "hosts need the version of mohs that this machine has (#{Mohs::VERSION}): a " \
                   "has 0.0.9. Install the same one on all of them (mohs fleet init).",
                   error.message
    end
  end

  test "jobs of a kind are for one version of mohs" do
    refute_equal Fleet.queue_of_kind(SMALL), Fleet.queue_of_kind(SMALL, version: "0.0.9")
    refute_equal Fleet.queue_of("a"), Fleet.queue_of("a", version: "0.0.9")
    assert_equal "a_1.b-c", Fleet.host_of(Fleet.queue_of("a_1.b-c"))
    assert_nil Fleet.host_of(Fleet.queue_of_kind(SMALL))
  end

  test "so many hosts of whatever kind, or one" do
    assert_equal %w[a b].map { |name| Fleet.queue_of(name) },
                 Fleet::HostSelection.new(hosts: 2).queues(hosts)
    assert_equal [Fleet.queue_of("b")], Fleet::HostSelection.new(same: "b").queues(hosts)
  end

  { [] => [{}, "the fleet has no active host: start mohs worker on one."],
    HOSTS => [{ hosts: 4 }, "--hosts 4: 3 are there (a, b, c)."] }.each do |there, (options, said)|
    test "#{there.size} hosts and #{options} are an error that says what is there" do
      known = there.map { |name, fingerprint| host(name, fingerprint) }
      selection = Fleet::HostSelection.new(**options)
      error = assert_raises(Mohs::EnvironmentError) { selection.queues(known) }
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
