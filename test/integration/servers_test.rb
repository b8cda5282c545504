# frozen_string_literal: true

require "test_helper"

# Every member of the family as a real process, attested. What a member says that it can do is
# tried by the contract of servers (test/support/server_suite.rb).
class ServersIntegrationTest < Mohs::TestCase
  # How each is written, and what must be seen: workers, and threads of each where they can be told.
  CASES = {
    "puma:1x3" => [1, 3], "puma:2x2" => [2, 2], "unicorn:2" => [2, 1], "falcon:2" => [2, nil],
    "falcon:1x3" => [1, 3], "falcon:2x3" => [2, 3],
    "webrick" => [1, nil], "pitchfork:2" => [2, 1], "thin" => [1, 1], "thin:1x3" => [1, 3],
    "iodine:1x3" => [1, 3], "iodine:2x2" => [2, 2], "agoo" => [1, 1], "agoo:2" => [2, 1],
    "passenger" => [1, 1], "passenger:2" => [2, 1],
    "itsi:1x3" => [1, nil], "itsi:2x2" => [2, nil], "mock:1x3" => [1, 3], "mock:2x2" => [2, 2],
  }.freeze

  # How long workers may take to be forked anew, one after the other.
  REFORK_S = 30

  test "every server that runs on this Ruby has a case" do
    here = Mohs::Servers.all.select { |one| one.capabilities[:engines].include?(RUBY_ENGINE) }

    assert_empty here.map(&:label) - CASES.keys.map { |text| text[/\w+/] }
  end

  CASES.each do |text, (workers, threads)|
    klass = Mohs::Servers.fetch(text[/\w+/])
    # Passenger boots for seconds: as a cluster each day, alone with --all.
    kind = text == "passenger" ? :slow_test : Mohs::ServerGems.kind(text)

    send kind,
         "#{text} boots, answers, is attested, logs no access, and stops by its own signal" do
      boot(text) do |server|
        facts = server.attestation
        assert_equal [workers, threads], facts.values_at(:workers, :threads)
        assert_equal ["off", RUBY_DESCRIPTION], facts.values_at(:jit, :interpreter)
        assert_equal threads ? [] : ["threads"], facts[:unattested]
        assert_match(/\A\d/, facts[:gems][klass.gem || klass.label]) unless klass::FOR_TESTS

        before = server.child.log_tail(1000)
        10.times { assert_match(%r{\AHTTP/1.1 200 .*Hello}m, server.get("/not-logged")) }
        # A worker may say that it runs after another one has answered.
        said = server.child.log_tail(1000).delete_prefix(before)
        refute_includes said, "/not-logged"
        assert_operator said.lines.size, :<, 10

        pids = server.child.pids
        assert_equal :stopped, server.stop
        assert_empty(pids.select { |pid| File.exist?("/proc/#{pid}") })
      end
    end
  end

  Mohs::Servers.all.select { |klass| klass.capabilities.fetch(:refork) }.each do |klass|
    [true, false].each do |refork|
      test "#{klass.label} #{refork ? 'forks its workers anew' : 'keeps its workers'}" do
        boot("#{klass.label}:2", refork:) do |server|
          assert_equal 0, server.generation
          before = server.workers
          deadline = Mohs::Clock.deadline(REFORK_S)
          wanted = [refork ? 1 : 0, 2]
          150.times { assert_match(/Hello/, server.get) }
          sleep 0.05 until [server.generation, server.workers.size] == wanted ||
                           Mohs::Clock.mono_ns > deadline

          assert_equal wanted, [server.generation, server.workers.size]
          assert_equal refork ? [] : before, server.workers & before
          assert_empty server.attestation[:unattested]
        end
      end
    end
  end

  # Each process that answers keeps 16 MB.
  KEEPING = { "config.ru" => <<~'RUBY' }.freeze
    run(lambda do |env|
      $kept ||= "x" * 16_777_216
      [200, { "content-type" => "text/plain" }, ["Hello from #{Process.pid}"]]
    end)
  RUBY

  test "workers that are forked anew share the memory of the one that had served" do
    shared, own = [true, false].map do |refork|
      boot("pitchfork:2", files: KEEPING, refork:) do |server|
        deadline = Mohs::Clock.deadline(REFORK_S)
        seen = []
        wanted = refork ? 1 : 0
        until (server.generation == wanted && (seen & server.workers).size == 2) ||
              Mohs::Clock.mono_ns > deadline
          100.times { seen |= [server.get[/from (\d+)/, 1].to_i] }
        end
        assert_equal wanted, server.generation
        Mohs::Probes::Memory.read(server.child.pids)[:tree_bytes]
      end
    end
    assert_operator own - shared, :>, 8_388_608
  end

  test "every server is booted here or, where it runs on another engine, with --all" do
    others = Mohs::Servers.all.reject { |klass| klass.capabilities[:engines].include?("ruby") }
    booted = CASES.keys.map { |text| text[/\w+/] }
    assert_empty Mohs::Servers.names - booted - others.map(&:label)
  end

  test "who listens on a unix socket is known by its path, and nobody on another" do
    boot("puma:2x2", unix: true) do |server|
      assert_match(/Hello/, server.get)
      pids = server.child.pids
      listening = Mohs::Probes::Listener.unix_pids(server.bind.unix, [*pids, Process.pid])
      assert_empty listening - pids
      refute_empty listening
      assert_empty Mohs::Probes::Listener.unix_pids("#{server.bind.unix}x", pids)
    end
  end

  slow_test "what takes passenger's requests is seen, and is one process" do
    boot("passenger:2") do |server|
      lines = server.child.pids.to_h { |pid| [pid, Mohs::Process::Tree.command_line(pid)] }
      helpers = server.launch.helpers(lines)
      assert_equal ["Passenger core"], helpers.map { |pid| lines.fetch(pid).strip }
      ours = Mohs::Probes::Listener.pids(server.bind.port)
      assert_includes ours, helpers.first
    end
  end

  slow_test "passenger ends at once if the application can't be loaded, and says why" do
    [false, true].each do |preload|
      error = assert_raises(RuntimeError) do
        boot("passenger:2", files: { "config.ru" => "raise 'no such plan'\n" }, preload:) { flunk }
      end
      assert_match(/\Ano server: exit 0$.*: no such plan \(RuntimeError\)$/m, error.message)
    end
  end

  test "a JIT is seen in forked workers too" do
    boot("puma:2x1", flags: ["--yjit"]) do |server|
      facts = server.attestation
      assert_equal ["yjit", 2, []], facts.values_at(:jit, :workers, :unattested)
    end
  end

  test "puma takes neither the application's configuration nor the environment's" do
    files = { "config/puma.rb" => "workers 3\nthreads 7, 7\n" }
    env = { "WEB_CONCURRENCY" => "3", "PUMA_MAX_THREADS" => "9" }
    boot("puma:1x2", files:, env:) do |server|
      facts = server.attestation
      assert_equal [1, 2, 1], facts.values_at(:workers, :threads, :processes)
    end
  end

  private

  def boot(text, files: {}, **options, &block)
    file, package = Mohs::Servers.fetch(text[/\w+/])::PACKAGE
    skip "#{package} is not installed" if file && !File.file?(file)

    with_files(Mohs::ServerProcess::HELLO.merge(files)) do |folder|
      Mohs::ServerProcess.boot(text, folder:, **options, &block)
    end
  end
end
