# frozen_string_literal: true

require "test_helper"

# What every member of the family keeps: lib/mohs/fronts/base.rb.
class FrontsContractTest < Mohs::TestCase
  Fronts = Mohs::Fronts
  Bind = Mohs::Servers::Bind
  TCP = Bind.new(host: "127.0.0.1", port: 20_002).freeze
  SOCKET = Bind.new(unix: "/scratch/socket").freeze

  Fronts.names.each do |name|
    test "#{name} declares itself fully" do
      klass = Fronts.fetch(name)
      assert_equal name, klass.label
      assert_includes Signal.list, klass::STOP_SIGNAL
      assert_includes [NilClass, Regexp], klass::WORKER.class
      flags = [klass::UNIX, klass::LOOPBACK, klass::FOR_TESTS]
      assert_empty flags - [true, false]
      assert(klass::GEMS.each_value.all? { |requirement| Gem::Requirement.new(requirement) })
      assert(klass::PROGRAMS.all? { |path| path.start_with?("/") })
      assert_equal klass::GEMS.empty?, klass::PROGRAMS.any?
      known = Mohs::Rubies::Engines.all.map(&:ruby_engine)
      assert_empty klass::ENGINES.to_a - known
    end

    test "#{name} launches without touching anything" do
      launch = build(name).launch
      assert_predicate launch, :frozen?
      assert launch.args.all?(String)
      assert(launch.files.keys.all? { |path| path.start_with?("/scratch/front/") })
      refute_path_exists "/scratch"
      assert launch.gem ? Fronts.fetch(name)::GEMS.key?(launch.gem) : launch.executable[0] == "/"
    end

    test "#{name} shows where it listens and where the server does" do
      assert_includes written(build(name)), "20001"
      assert_includes written(build(name)), "20002"
      next unless Fronts.fetch(name)::UNIX

      assert_includes written(build(name, upstream: SOCKET)), SOCKET.unix
    end

    test "#{name} is refused exactly where it can't stand before a server" do
      klass = Fronts.fetch(name)
      skip "#{name} is not installed" if klass.absent
      engine = klass::ENGINES.to_a.first || "jruby"
      assert_nil klass.refusal(engine:, unix: false)
      assert_equal klass::UNIX, klass.refusal(engine:, unix: true).nil?
      assert_equal klass::ENGINES.nil?, klass.refusal(engine: "mruby", unix: false).nil?
    end
  end

  test "a front whose program is not installed is refused with what to install" do
    klass = Class.new(Fronts::Nginx)
    klass.const_set(:PROGRAMS, ["/no/such/nginx"].freeze)
    klass.define_singleton_method(:label) { "nginx" }
    reason = klass.refusal(engine: "ruby", unix: false)

    assert_equal "front_command", reason.code
    assert_match(/\Anginx .*: apt-get install nginx\z/, reason.summary)
    assert_equal "/no/such/nginx", klass.new(settings).launch.executable
  end

  test "a front without a program for an engine says so, as one without unix sockets" do
    reasons = [{ engine: "jruby", unix: false }, { engine: "ruby", unix: true }].map do |place|
      Fronts::Thruster.refusal(**place)
    end

    assert_equal 2, reasons.compact.size
    reasons.map(&:summary).zip([/ruby\b.*jruby/, /TCP.*unix/]).each do |summary, fact|
      assert_match(/\Athruster .*#{fact}/, summary)
    end
    assert_equal %w[front_engine front_unix], reasons.map(&:code)
  end

  private

  def settings(**changes)
    Fronts::Settings.new(bind: Bind.new(host: "127.0.0.1", port: 20_001), upstream: TCP,
                         connections: 4, cores: 3, folder: "/scratch/front", **changes)
  end

  def build(name, **changes) = Fronts.fetch(name).new(settings(**changes))

  def written(front)
    launch = front.launch
    [*launch.args, *launch.files.values, *launch.env.values].join(" ")
  end
end
