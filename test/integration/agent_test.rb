# frozen_string_literal: true

require "shellwords"
require "support/local_agent"
require "support/network_namespace"
require "test_helper"

module Mohs
  # Load from another machine: how it begins and ends, and a whole measurement over a real network.
  class AgentTest < TestCase
    include Leftovers

    # What an agent says first, by a shell.
    def hello(**facts)
      hello = { mohs: VERSION, name: "b", host: {}, client_address: "", **facts }
      text = JSON.generate([{ hello: }, []])
      ["sh", "-c", "printf '%s\\n' 'Welcome!' #{Shellwords.escape(Agent::Frames::GREETING)} " \
                   "#{Shellwords.escape(text)}; cat >/dev/null"]
    end

    def met(*command, listen: nil)
      link = Agent::Link.new("lab@b", command)
      link.meet(listen)
    ensure
      link&.close
    end

    test "what stands in place of an agent is told" do
      { ["sh", "-c", "echo 'lab@b: Permission denied (publickey).' >&2; exit 255"] =>
          "no load from lab@b: lab@b: Permission denied (publickey).",
        ["sh", "-c", "echo hello; exit 1"] => "no load from lab@b: hello",
        ["true"] => "no load from lab@b: the connection ended",
        hello(mohs: "0.0.9") => /lab@b .*0\.0\.9.*#{VERSION}.*mohs fleet init lab@b/,
        hello(client_address: "203.0.113.5 1 2 3") =>
          /lab@b .*203\.0\.113\.5.*--listen ADDRESS/,
        ["no-such-ssh"] => /no-such-ssh .*installed/ }.each do |command, message|
        error = assert_raises(EnvironmentError) { met(*command) }
        assert_operator message, :===, error.message
      end
    end

    # As one that was stopped, or swaps: the connection itself stays.
    FALLS_SILENT = <<~'RUBY'
      $stdout.sync = true
      say = ->(message) { puts JSON.generate([message, []]) }
      puts ARGV[0]
      say.({ hello: { mohs: ARGV[1], host: {}, name: "b", client_address: "127.0.0.1 1 2 3" } })
      while (line = $stdin.gets)
        case JSON.parse(line).dig(0, "do")
        when "clock" then say.({ answer: { mono_ns: 1 } })
        when "run" then 4.times { sleep 0.3; say.({ live: {} }) } && sleep
        else sleep
        end
      end
    RUBY

    test "an agent that falls silent ends the order, and the connection" do
      orders = [{ do: "run", step: {} }, { do: "close" }, { do: "engine", body: "x" * (8 << 20) }]
      orders.each do |order|
        link = Agent::Link.new("lab@b", [RbConfig.ruby, "-rjson", "-e", FALLS_SILENT,
                                         Agent::Frames::GREETING, VERSION],
                               answer_s: 1, stop_s: 0.2)
        link.meet(nil)
        looks = 0
        error = assert_raises(EnvironmentError) { link.ask(order) { looks += 1 } }

        assert_match(/lab@b .*answered .*1 s/, error.message)
        assert_equal [order[:do] == "run" ? 4 : 0, true], [looks, link.over?]
      ensure
        link&.close
      end
    end

    # Says on the order "reserve" that this process has the machine.
    WAITS = <<~'RUBY'
      $stdout.sync = true
      say = ->(message) { puts JSON.generate([message, []]) }
      puts ARGV[0]
      $stdin.gets
      say.({ live: { pid: 7, user: "ann", boot: "another" } })
      say.({ alive: true })
      say.({ live: { pid: ARGV[1].to_i, user: nil, boot: ARGV[2] } })
      say.({ answer: {} })
      $stdin.gets
    RUBY

    def reserved(pid, boot)
      link = Agent::Link.new("lab@b", [RbConfig.ruby, "-rjson", "-e", WAITS,
                                       Agent::Frames::GREETING, pid.to_s, boot])
      link.reserve { |holder| (@holders ||= []) << holder }
    ensure
      link&.close
    end

    test "another mohs that measures where load comes from is waited for, but not this one" do
      reserved(8, Process.boot_id)
      assert_equal [{ pid: 7, user: "ann", machine: "lab@b" },
                    { pid: 8, user: nil, machine: "lab@b" }], @holders

      error = assert_raises(EnvironmentError) { reserved(::Process.pid, Process.boot_id) }
      assert_match(/\Alab@b .*this machine.*--load-from/, error.message)
    end

    # As hello, with any message in its place.
    def saying(*messages, file)
      lines = messages.map { |message| JSON.generate([message, []]) }
      ["sh", "-c", "echo $$ >> \"$0\"; printf '%s\\n' \"$@\"; exec cat >/dev/null", file,
       Agent::Frames::GREETING, *lines]
    end

    test "a message that says something else than it should ends the connection, and ssh" do
      hello = { mohs: VERSION, name: "b", host: {}, client_address: "127.0.0.1 1 2 3" }
      [[{ hello: {} }], [{ hello: 7 }], [{}], [{ hello: hello.except(:client_address) }],
       [{ hello: { **hello, host: 1 } }], [{ hello: { **hello, host: { cores: "4" } } }],
       [{ hello: }, {}], [{ hello: }, { answer: 7 }],
       [{ hello: }, { answer: {} }], [{ hello: }, { live: 1 }]].each do |messages|
        with_files do |folder|
          pid = File.join(folder, "pid")
          error = assert_raises(EnvironmentError, messages) do
            Agent::Link.open(Study::LoadFrom.parse("lab@b"), ssh: saying(*messages, pid))
          end
          assert_match(/\Athe agent .*lab@b .*message/, error.message)
          refute alive?(File.read(pid).strip), messages
        end
      end
    end

    test "figures of another kind than they should be end the load, and the connection" do
      run = { results: [{ sent: 1, errors: [0], thread_stats: { pace_ns: nil } }, nil], lost: 0 }
      [{ **run, results: [5] }, { **run, results: ["x"] }, { **run, results: [{ sent: "1" }] },
       { **run, results: [{ errors: ["1"] }] }, { **run, steal_share: "x" }, run].each do |answer|
        with_files do |folder|
          link = Agent::Link.new("lab@b", saying({ answer: { epoch_ns: 1 } }, { answer: },
                                                 File.join(folder, "pid")))
          link.define_singleton_method(:ahead_ns) { 0 }
          engine = Agent::Engine.new(link)
          step = [{ targets: [0, 1] }]
          next assert_equal([1, nil], [run_step(engine, step), engine.result(0, 1)]) if
            answer == run

          error = assert_raises(EnvironmentError, answer.inspect) { engine.run(step) }
          assert_match(/\Athe agent .*lab@b .*message/, error.message)
          assert_predicate link, :over?
        ensure
          link&.close
        end
      end
    end

    def run_step(engine, steps)
      engine.run(steps)
      engine.result(0, 0)[:sent]
    end

    # A message of a remote shell in Latin-1, and a key that no symbol can be made of.
    test "bytes that are no text break neither a link nor its end" do
      script = "printf '#{Agent::Frames::GREETING}\\n[{\"h\\377\":1},[]]\\n'; " \
               "printf '\\334bung\\n' >&2; exec cat >/dev/null"
      link = Agent::Link.new("lab@b", ["sh", "-c", script])
      error = assert_raises(EnvironmentError) { link.meet(nil) }
      link.close

      assert_includes error.message, "bung"
    end

    test "a link that is closed keeps no stream open" do
      GC.start
      GC.disable # it closes streams, too
      before = Dir.children("/dev/fd").size
      5.times { Agent::Link.new("lab@b", ["cat"]).close }

      assert_equal before, Dir.children("/dev/fd").size
    ensure
      GC.enable
    end

    test "an ssh that TERM does not end is killed, with the processes that it has started" do
      with_files do |folder|
        file = File.join(folder, "pids")
        stubborn = "trap '' TERM; sleep 60 & echo $$ $! > \"$0\"; while :; do sleep 1; done"
        link = Agent::Link.new("lab@b", ["sh", "-c", stubborn, file], stop_s: 0.2)
        wait_for(10) { File.size?(file) }
        pids = File.read(file).split
        closing = Thread.new { link.close }

        assert closing.join(30), "close does not end"
        wait_for(10) { pids.none? { |pid| alive?(pid) } }
        assert_equal [], pids.select { |pid| alive?(pid) }
      ensure
        pids.to_a.each { |pid| ::Process.kill(:KILL, pid.to_i) if alive?(pid) }
      end
    end

    test "where mohs is not installed it is told" do
      with_files do |empty|
        there = ["env", "PATH=#{File.dirname(RbConfig.ruby)}:/usr/bin:/bin", "GEM_HOME=#{empty}",
                 "GEM_PATH=#{empty}", "sh", "-c", Agent::Link::AGENT]
        error = assert_raises(EnvironmentError) { met(*there) }

        assert_match(/lab@b: mohs .*Ruby #{RUBY_VERSION}.*PATH.*mohs fleet init.*--ruby/,
                     error.message)
      end
    end

    test "it listens where that machine sees this one, or where the person says" do
      LocalAgent.open { |link| assert_equal "127.0.0.1", link.listen }
      own = Socket.ip_address_list.find(&:ipv6?)&.ip_address
      LocalAgent.open(listen: own) { |link| assert_equal own, link.listen } if own
    end

    test "the clocks are compared: here they are one" do
      LocalAgent.open do |link|
        assert_operator link.ahead_ns.abs, :<=, link.facts[:clock_unsure_ns] + 1_000_000
        assert_equal ["far", Socket.gethostname], link.facts.values_at(:host, :name)
      end
    end

    test "an agent that is gone in the middle of a load ends it, and what was measured stays" do
      with_files do |folder|
        file = File.join(folder, "pid")
        noting = ["sh", "-c", "echo $$ > \"$0\"; exec \"$@\"", file]
        LocalAgent.open(within: noting) do |link|
          with_driver(link) do |driver|
            driver.run([Load::Step.new(count: 5)])
            steps = [Load::Step.new(count: 3), Load::Step.new(duration_ns: 60_000_000_000)]
            error = assert_raises(EnvironmentError) do
              driver.run(steps) do |live|
                ::Process.kill(:KILL, File.read(file).to_i) if live.step == 1
              end
            end

            assert_equal ["no load from far: the connection ended", [3]],
                         [error.message, driver.results.map(&:sent)]
            assert_raises(EnvironmentError) { driver.recording(0) }
          end
        end
      end
    end

    def with_driver(link)
      FakeServer.open do |server|
        target = Load::Target.new(host: "127.0.0.1", port: server.port, connections: 1)
        yield link.driver.call(targets: [target])
      end
    end

    test "a machine that can't be reached is told before there is a run" do
      with_files("config.ru" => "run ->(_) { [200, {}, []] }\n",
                 "bin/ssh" => "#!/bin/sh\necho \"no route to $7\" >&2; exit 255\n") do |folder|
        File.chmod(0o755, "#{folder}/bin/ssh")
        mohs = MohsCommand.new(folder, env: { "PATH" => "#{folder}/bin:#{ENV.fetch('PATH')}" })
        said = mohs.call("--variant", "#{RUBY_VERSION}, mock", "--load-from", "lab@b", "--quiet")

        assert_equal [4, ""], [said.status.exitstatus, said.out]
        assert_match(/\Amohs: no load from lab@b: no route to /, said.err)
        assert_match(/no run/i, mohs.call("list").then { |list| list.out + list.err })
      end
    end

    test "servers here are loaded from another machine, and the way there is told" do
      missing = NetworkNamespace.missing
      skip missing if missing

      network = NetworkNamespace.new
      app = { "config.ru" => "run ->(_) { [200, {}, ['hello']] }\n",
              "bin/ssh" => "#!/bin/sh\nexec #{Shellwords.join(LocalAgent.command(
                seen: NetworkNamespace::ADDRESS, within: network.within,
              ))}\n" }
      with_files(app) do |folder|
        File.chmod(0o755, "#{folder}/bin/ssh")
        mohs = MohsCommand.new(folder, env: { "PATH" => "#{folder}/bin:#{ENV.fetch('PATH')}" })
        said = mohs.call("--variant", "good::#{RUBY_VERSION}, mock", "--rounds", "1",
                         "--load-from", "lab@b", "--json")

        row = said.json[:rows].first
        assert_equal [0, "measured"], [said.status.exitstatus, row[:state]], said.err
        from = said.json[:host][:load_from]
        assert_equal ["lab@b", NetworkNamespace::ADDRESS], from.values_at(:host, :listen)
        assert_in_delta 0.5, from[:foreign_cpu_share], 0.5
        assert_operator from[:round_trip_ms][:p50], :>, 0
        assert_operator from[:round_trip_ms][:p99], :>=, from[:round_trip_ms][:p50]
        note = said.json[:notes].find { |one| one[:name] == "load" }
        from = "(lab@b) to #{NetworkNamespace::ADDRESS}: "
        assert_includes note[:text], from
        assert said.json[:cores][:apart]
      end
    ensure
      network&.remove
    end
  end
end
