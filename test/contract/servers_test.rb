# frozen_string_literal: true

require "test_helper"

# What every member of the family keeps: lib/mohs/servers/base.rb.
class ServersContractTest < Mohs::TestCase
  Application = Struct.new(:dir)
  Interpreter = Struct.new(:engine) { def language = "3.1.2" }
  FLAGS = %i[processes threads fibers keep_alive unix preload refork].freeze

  Mohs::Servers.names.each do |name|
    test "#{name} declares itself fully" do
      klass = Mohs::Servers.fetch(name)
      assert_equal name, klass.label
      assert_equal FLAGS + [:engines], klass.capabilities.keys
      assert(klass.capabilities.values_at(*FLAGS).all? { |value| [true, false].include?(value) })
      engines = Mohs::Rubies::Engines.all.map(&:ruby_engine)
      assert_empty klass.capabilities.fetch(:engines) - engines
      refute_empty klass.capabilities.fetch(:engines)
      assert_includes [true, false], klass::FOR_TESTS
      assert_includes [NilClass, Regexp, String], klass::SERVING.class
      assert_includes [true, false], klass::ALWAYS_PRELOADS
      assert_includes Signal.list, klass.stop_signal
      assert(klass::GEMS.each_value.all? { |requirement| Gem::Requirement.new(requirement) })
      assert(klass.gem ? klass.gem.start_with?(name) : klass::RELEASE || klass::FOR_TESTS)
      assert_includes [*klass::GEMS.keys, nil], klass.gem
    end

    test "#{name} launches from its defaults without touching anything" do
      server = build(name)
      launch = server.launch
      skip "#{server.class::PACKAGE.last} is not installed" if absent?(server)
      assert_nil server.refusal(engine_of(server))
      assert_predicate launch, :frozen?
      assert launch.args.all?(String)
      assert(launch.files.keys.all? { |path| path.start_with?("/scratch/") })
      refute_path_exists "/scratch"
      gems = server.class::GEMS
      assert launch.gem ? gems.key?(launch.gem) : File.file?(launch.executable)
    end

    test "#{name} shows its address" do
      launch = build(name).launch
      assert_includes [*launch.args, *launch.files.values].join(" "), "20001"
    end

    test "#{name} has workers exactly where it is asked for processes that it can have" do
      server = build(name, processes: 3)
      skip "#{server.class::PACKAGE.last} is not installed" if absent?(server)
      refusal = server.refusal(engine_of(server))&.summary
      next assert_match(/one process/, refusal) unless server.capabilities.fetch(:processes)

      launch = server.launch
      assert_equal 3, launch.expected_processes
      assert_kind_of Regexp, launch.worker_pattern
    end

    test "#{name} is attested by code that parses" do
      server = Mohs::Servers.fetch(name)
      script = Mohs::Probes::Inside.script(engine: Mohs::Rubies::Engines::Cruby, server:)
      assert RubyVM::InstructionSequence.compile(script)
      how = server::SERVING
      counted = how.is_a?(Regexp) ? how.inspect : how || "nil"
      assert_match(/^  def self\.server_threads; .*#{Regexp.escape(counted)}.*; end$/, script)
      assert_includes script, "def self.server_release; #{server::RELEASE || 'nil'}; end"
      server::GEMS.each_key { |gem| assert_match(/^  SERVERS = .*"#{gem}"/, script) }
    end

    test "#{name} says what a person writes for its settings, in its file or its command line" do
      [[2, 3], [17, 23]].each do |processes, threads|
        own = own_settings(name, processes:, threads:, env: { "MALLOC_ARENA_MAX" => "2" })
        assert([own, own.lines, own.argv, own.env].all?(&:frozen?))
        assert_equal [own.lines.empty?, { "MALLOC_ARENA_MAX" => "2" }], [own.file.nil?, own.env]
        pool = threads + (Mohs::Servers.fetch(name)::POOL_EXTRA)
        wanted = { processes:, threads: pool }.select { |key, _| capable?(name, key) }.values
        assert_equal wanted, wanted & written(own).scan(/\d+/).map(&:to_i)
        assert_empty written(own) if wanted.empty?
      end
    end

    test "#{name} tells preloading and forking anew apart exactly where it can be asked for them" do
      plain = written(own_settings(name))
      preloaded, reforked = %i[preload refork].map do |key|
        written(own_settings(name, key => true))
      end
      choice = capable?(name, :preload) && !Mohs::Servers.fetch(name)::ALWAYS_PRELOADS

      assert_equal [choice, capable?(name, :refork)], [plain != preloaded, plain != reforked]
    end

    test "what a person writes for #{name} is what its file is written in, with a comment too" do
      [1, 2].each do |processes|
        own = own_settings(name, processes:)
        text = own.comment("2 x 3 \#{nothing}\n--yjit") + own.text
        case own.file && File.extname(own.file)
        when ".rb" then assert RubyVM::InstructionSequence.compile(text)
        when ".yml" then assert_instance_of Hash, YAML.safe_load(text)
        when ".xml" then assert_match(/\A<!--(?:(?!--).)*-->\n(<\w+( \w+="\w+")+ \/>\n)+\z/m, text)
        else assert_equal [nil, ""], [own.file, own.text]
        end
      end
    end

    test "#{name} serves from forked processes only where engines have fork" do
      server = Mohs::Servers.fetch(name)
      engines = server.capabilities.fetch(:engines)
      assert_equal !server::FORKED, engines.include?("jruby") if server::ENGINES.nil?
      assert_equal server::ENGINES, engines if server::ENGINES
    end

    test "#{name} has a way to serve one request at a time in each process, unless it does so" do
      klass = Mohs::Servers.fetch(name)
      alone = klass.one_at_a_time(processes: 2, threads: 1, forks: true)
      klass.capabilities.fetch(:fibers) ? assert_equal("puma:2x1", alone) : assert_nil(alone)
      [["2", 1, true], ["4", 4, true], ["1", 1, false]].each do |count, processes, forks|
        text = klass.one_at_a_time(processes:, threads: 5, forks:)
        assert_equal({ processes: count.to_i, threads: 1 },
                     Mohs::Servers.parse(text).slice(:processes, :threads))
      end
    end

    test "#{name} refuses an engine that it does not run on" do
      server = build(name)
      skip "#{server.class::PACKAGE.last} is not installed" if absent?(server)
      refusal = server.refusal(Interpreter.new("mruby"))
      assert_equal ["server_engine", { server: name, engine: "mruby" }], refusal.cause
    end
  end

  test "a server that is not installed is refused with what to install" do
    klass = Class.new(Mohs::Servers::Passenger)
    klass.const_set(:PACKAGE, ["/no/such/file", "some-package"])
    klass.define_singleton_method(:label) { "passenger" }
    server = klass.new(Mohs::Servers::Settings.new(processes: 1, threads: 1),
                       app: Application.new("/app"))
    refusal = server.refusal(Interpreter.new("ruby"))
    assert_equal "server_command", refusal.code
    assert_match(%r{\A/no/such/file .*: apt-get install some-package\z}, refusal.summary)
  end

  private

  def own_settings(name, **settings)
    klass = Mohs::Servers.fetch(name)
    klass.own_settings(processes: 2, threads: klass::THREADS, **settings)
  end

  def written(own) = [*own.lines, *own.argv].join(" ")

  def capable?(name, key) = Mohs::Servers.fetch(name).capabilities.fetch(key)

  def engine_of(server) = Interpreter.new(server.capabilities.fetch(:engines).first)

  def absent?(server) = server.class::PACKAGE && !File.file?(server.class::PACKAGE.first)

  def build(name, **changes)
    klass = Mohs::Servers.fetch(name)
    bind = Mohs::Servers::Bind.new(host: "127.0.0.1", port: 20_001)
    settings = { **klass.parse(nil), bind:, folder: "/scratch", **changes }
    klass.new(Mohs::Servers::Settings.new(**settings), app: Application.new("/app"))
  end
end
