# frozen_string_literal: true

require "test_helper"

module Mohs
  class ServersTest < TestCase
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-servers"

    Application = Struct.new(:dir)
    Interpreter = Struct.new(:engine, :name, :language)

    test "a server is parsed as people write it" do
      assert_equal({ name: "puma", processes: 2, threads: 5 }, Servers.parse("puma:2x5"))
      assert_equal({ name: "puma", processes: 3, threads: 5 }, Servers.parse("puma:3"))
      assert_equal({ name: "puma", processes: 1, threads: 5 }, Servers.parse("puma"))
      assert_equal({ name: "falcon", processes: 2, threads: nil }, Servers.parse("falcon:2"))
      assert_equal({ name: "unicorn", processes: 4, threads: 1 }, Servers.parse("unicorn:4"))
    end

    test "what cannot be parsed says how to write it" do
      error = assert_raises(UsageError) { Servers.parse("puma:0x5") }
      assert_said(error.message)
      ["puma:", "puma:x5", "puma:2x", "puma:-1", "puma:2 x5", "puma:99999"].each do |text|
        assert_raises(UsageError, text) { Servers.parse(text) }
      end
      error = assert_raises(UsageError) { Servers.parse("pumma:2") }
      assert_match(/Did you mean puma/, error.message)
      assert_raises(UsageError) { Servers.parse("") }
    end

    test "an old Ruby gets gems that it can load" do
      expected = { "2.1.10" => [">= 3.11", %w[rack]], "2.2.0" => [">= 5", %w[rack]],
                   "2.4.0" => [">= 5", %w[webrick rackup]] }
      expected.each do |language, (puma, webrick)|
        ruby = Interpreter.new("ruby", language, language)
        assert_equal({ "puma" => puma }, Servers.fetch("puma").gems_for(ruby))
        assert_equal webrick, Servers.fetch("webrick").gems_for(ruby).keys
      end
    end

    test "a worker of puma says that it has booted, in Puma 3 with small letters" do
      ready = server("puma", processes: 2, threads: 1).launch.ready_line
      assert_match ready, "[7] - Worker 0 (PID: 12) booted in 0.1s, phase: 0"
      assert_match ready, "[7] - Worker 0 (pid: 12) booted, phase: 0"
    end

    test "puma alone: a file of ours holds every setting" do
      launch = server("puma", processes: 1, threads: 3).launch
      assert_equal ["-C", "/scratch/puma.rb", "config.ru"], launch.args
      assert_equal <<~RUBY, launch.files.fetch("/scratch/puma.rb")
        bind "tcp://127.0.0.1:20001"
        workers 0
        threads 3, 3
        log_requests false
      RUBY
      assert_equal %w[puma puma], [launch.gem, launch.executable]
      assert_equal [1, nil], [launch.expected_processes, launch.worker_pattern]
    end

    test "puma in a cluster: its workers are known by their title" do
      launch = server("puma", processes: 2, threads: 5, preload: true).launch
      assert_equal [true, false], ["[7] * Preloading application\n", "[7] * Workers: 2\n"]
        .map { |log| launch.preloaded?(log) }
      assert_nil server("puma", processes: 1, threads: 5).launch.preloaded?("")
      assert_match(/^workers 2\nthreads 5, 5\npreload_app!$/, launch.files.values.first)
      assert_equal 2, launch.expected_processes
      assert_match launch.worker_pattern, "puma: cluster worker 0: 1234 [app]"
      refute_match launch.worker_pattern, "puma 8.0.2 (tcp://127.0.0.1:20001) [app]"
    end

    test "puma preloads by default from version 7 on, if it has several workers" do
      puma = Servers.fetch("puma")
      ["preload_app!", "workers 2; preload_app!", "workers 2", "workers(ENV['N'])",
       "workers 2\nprune_bundler false", "workers count if count > 1", "workers 2; threads 1, 1",
       "workers(2) unless ENV['N'].to_i == 1", "workers 10", "workers ENV.fetch('N', '2').to_i",
       "workers [cores - 1, 1].max", "workers cores * ENV.fetch('N', 1).to_i",
       "workers Integer(ENV['CPUS']) * Integer(ENV.fetch('N', 1))",
       "workers Rails.env.production? ? 3 : 1", "workers count(min: 1)"].each do |text|
        assert puma.preloads?(text), text
      end
      ["", "workers 1", "workers 0\n", "# workers 2", "workers 2\npreload_app! false",
       "prune_bundler\nworkers 2", "threads 5, 5 # no workers", "workers ENV.fetch('N', 1)",
       "workers ENV.fetch('N') { 1 }", "workers Integer(ENV.fetch('N', '1'))",
       "workers ENV.fetch('N', 1).to_i", "workers 1 if ENV['N']", "workers ENV['N'] ? 2 : 1",
       "workers ENV['N'] ? ENV['N'].to_i : 1"]
        .each { |text| refute puma.preloads?(text), text }
      assert_equal [false, true], ["workers 2", "preload_app!"]
        .map { |text| puma.preloads?(text, version: "6.6.1") }
      refute Servers.fetch("unicorn").preloads?("preload_app true")
    end

    test "how many workers of a cluster have booted is read in its log" do
      launch = server("puma", processes: 2).launch
      lines = ["[1] - Worker 0 (PID: 2) booted in 0.01s, phase: 0\n",
               "[1] - Worker 1 (PID: 3) booted in 0.01s, phase: 0\n"]
      logs = (0..2).map { |count| lines.first(count).join }
      assert_equal [0, 1, 2], (logs.map { |log| launch.booted(log) })
      assert_nil server("puma").launch.booted("")
      assert_equal 0, server("unicorn").launch.booted("worker=0 spawned pid=914")
      assert_equal 1, server("unicorn").launch.booted("INFO -- : worker=0 ready\n")
    end

    test "puma with the application's own configuration is told only its address and pidfile" do
      with_files("config/puma.rb" => "workers 3") do |dir|
        launch = server("puma", dir:, processes: 2, threads: 5, own_config: true).launch
        assert_equal %w[-C config/puma.rb -b tcp://127.0.0.1:20001 --pidfile /scratch/puma.pid
                        config.ru], launch.args
        assert_equal [{}, nil], [launch.files, launch.expected_processes]
      end
    end

    test "how many workers the application's own configuration has is read in Puma's log" do
      with_files("config/puma.rb" => "") do |dir|
        launch = server("puma", dir:, processes: 1, own_config: true).launch
        banner = "[7] Puma starting in cluster mode...\n[7] *    Workers: 2\n"
        booted = "[7] - Worker 0 (PID: 8) booted in 0.1s, phase: 0\n"
        assert_equal [nil, 2, 12], ["Puma starting in single mode...\n", banner,
                                    banner.sub("2", "12")].map { |log| launch.expected(log) }
        logs = ["", banner, banner + booted, banner + booted + booted.sub("0", "1")]
        assert_equal([nil, 0, 1, 2], logs.map { |log| launch.booted(log) })
        assert_equal 1, server("puma", dir:).launch.expected(banner)
      end
    end

    test "puma with a configuration file is told that file, before the application's own" do
      with_files("config/puma.rb" => "workers 3") do |dir|
        [true, false].each do |own_config|
          launch = server("puma", dir:, config: "config/big.rb", processes: nil, threads: nil,
                                  own_config:).launch
          assert_equal %w[-C config/big.rb -b tcp://127.0.0.1:20001 --pidfile /scratch/puma.pid
                          config.ru], launch.args
          assert_equal [{}, nil], [launch.files, launch.expected_processes]
        end
      end
    end

    test "a server that takes no configuration file says so" do
      settings = { config: "config/big.rb", processes: nil, threads: nil }
      cruby, jruby = %w[ruby jruby].map { |engine| Interpreter.new(engine) }

      %w[unicorn falcon webrick mock].each do |name|
        assert_match(%r{configuration file .*: config/big.rb},
                     server(name, **settings).refusal(cruby).summary)
      end
      assert_nil server("puma", **settings).refusal(cruby)
      assert_nil server("puma", **settings).refusal(jruby)
    end

    test "an application without one gets ours, as does one whose own is not asked for" do
      with_files do |dir|
        assert_equal "/scratch/puma.rb", server("puma", dir:, own_config: true).launch.args[1]
      end
      with_files("config/puma.rb" => "workers 3") do |dir|
        assert_equal "/scratch/puma.rb", server("puma", dir:).launch.args[1]
      end
    end

    test "unix sockets are bound by those that can" do
      bind = Servers::Bind.new(unix: "/scratch/s.sock")
      puma, unicorn = %w[puma unicorn].map { |name| server(name, bind:).launch.files.values.first }
      assert_match(%r{^bind "unix:///scratch/s.sock"$}, puma)
      assert_match(%r{^listen "/scratch/s.sock"$}, unicorn)
      assert_equal "/scratch/s.sock", server("mock", bind:).launch.args.first
    end

    test "unicorn" do
      launch = server("unicorn", processes: 4, threads: 1).launch
      assert_equal ["-N", "-c", "/scratch/unicorn.rb", "config.ru"], launch.args
      assert_equal <<~RUBY, launch.files.values.first
        listen "127.0.0.1:20001"
        worker_processes 4
        preload_app false
        timeout 60
      RUBY
      assert_match launch.worker_pattern, "unicorn worker[3] -N -c /scratch/unicorn.rb config.ru"
      refute_match launch.worker_pattern, "unicorn master -N -c /scratch/unicorn.rb config.ru"
    end

    test "pitchfork's workers say in their titles how often they were forked anew" do
      launch = server("pitchfork", processes: 2).launch
      lines = { 1 => "pitchfork monitor", 2 => "pitchfork (gen:3) mold",
                3 => "pitchfork (gen:2) worker[0] - requests: 7, waiting",
                4 => "pitchfork (gen:1) worker[1] - requests: 9, waiting" }
      assert_equal [3, 4], launch.workers(lines, root: 1)
      assert_equal 1, launch.generation(lines)
      assert_nil launch.generation(lines.slice(1, 2))
      assert_nil server("unicorn").launch.generation(lines)
    end

    test "falcon" do
      launch = server("falcon", processes: 2, threads: nil).launch
      assert_equal %w[serve --bind http://127.0.0.1:20001 --count 2 --config config.ru], launch.args
      assert_equal({ "CONSOLE_LEVEL" => "warn" }, launch.env)
      assert_match launch.worker_pattern, "http://127.0.0.1:20001 (C=1/2 R=0/7 L=0.1)"
      refute_match launch.worker_pattern, "ruby falcon serve --bind http://127.0.0.1:20001"
    end

    test "iodine 0.8 has other options than 0.7" do
      unix = Servers::Bind.new(unix: "/s/sock")
      expected = {
        ["0.7.60", nil, 1] => %w[-b 127.0.0.1 -p 20001 -w 1],
        ["0.7.60", unix, 2] => %w[-b /s/sock -p 0 -w 2],
        ["0.8.3", nil, 1] => %w[-b 127.0.0.1 -p 20001 --preload -w 0],
        ["0.8.3", unix, 2] => %w[-b unix:///s/sock --preload -w 2],
      }
      expected.each do |(version, bind, processes), args|
        given = { processes:, threads: 3, version:, bind: }.compact
        assert_equal [*args, "-t", "3", "config.ru"], server("iodine", **given).launch.args
      end
    end

    test "webrick" do
      launch = server("webrick", processes: 1, threads: nil).launch
      assert_equal %w[-r /scratch/webrick.rb -s webrick -o 127.0.0.1 -p 20001 -q config.ru],
                   launch.args
      assert_equal %w[rackup rackup], [launch.gem, launch.executable]
    end

    test "servers of Java are handlers of rackup, made by a file that loads their jars" do
      { "jetty" => "QueuedThreadPool.new(5)", "tomcat" => "maxThreads: 3" }.each do |name, threads|
        launch = server(name, processes: 1, threads: 3).launch
        file = launch.files.fetch("/scratch/#{name}.rb")
        assert_equal %W[-r /scratch/#{name}.rb -s #{name} -o 127.0.0.1 -p 20001 config.ru],
                     launch.args
        assert_equal %w[rack rackup], [launch.gem, launch.executable]
        assert_match(%r{\Arequire "/usr/share/java/[a-z0-9-]+\.jar"$}, file)
        assert_match(%r{^require "/.+/lib/mohs/inside/servlet.rb"$}, file)
        assert_includes file, threads
      end
    end

    test "trinidad's one runtime has these threads, which keep their connections" do
      launch = server("trinidad", processes: 1, threads: 3).launch
      file = launch.files.fetch("/scratch/trinidad.yml")

      assert_equal({ "jruby_min_runtimes" => 1, "jruby_max_runtimes" => 1, "port" => 20_001,
                     "http" => { "maxThreads" => 3, "maxKeepAliveRequests" => -1 } },
                   YAML.safe_load(file).slice("jruby_min_runtimes", "jruby_max_runtimes", "port",
                                              "http"))
    end

    test "itsi's file has every setting" do
      launch = server("itsi", processes: 2, threads: 3, preload: true).launch

      assert_said(launch.files.fetch("/scratch/itsi.rb"))
    end

    test "a server of old Rubies alone is refused on a new one" do
      old, new = { "9.4" => "3.1.7", "10.0" => "3.4.2" }.map do |version, language|
        parsed("trinidad").refusal(Interpreter.new("jruby", "jruby-#{version}", language))&.summary
      end

      assert_nil old
      assert_match(/ 3\.2 .*jruby-10\.0 is 3\.4\.2\z/, new)
    end

    test "what cannot be had is refused with the reason" do
      assert_nil refusal("puma:2x5", "ruby")
      assert_nil refusal("puma:1x5", "jruby")
      { %w[puma:2x5 jruby] => "server_engine", %w[unicorn:1 truffleruby] => "server_engine",
        %w[unicorn:2x5 ruby] => "server_numbers", %w[agoo:2x5 ruby] => "server_numbers",
        %w[webrick:2 ruby] => "server_numbers" }.each do |(text, engine), code|
        found = parsed(text).refusal(Interpreter.new(engine))
        assert_equal code, found.code, text
        assert_said(found.summary)
      end
      assert_nil refusal("webrick", "jruby")
    end

    test "a refusal has the server and the settings that are refused as values" do
      jruby = Interpreter.new("jruby")
      causes = [["unicorn", jruby, { processes: 1, threads: 1 }],
                ["unicorn", jruby, { processes: 4, threads: 1 }],
                ["webrick", jruby, { processes: 1, threads: 5 }]].map do |name, ruby, settings|
        server(name, **settings).refusal(ruby).cause
      end

      assert_equal ["server_engine", { server: "unicorn", engine: "jruby" }], causes.first
      assert_equal causes[0], causes[1], "however many processes"
      assert_equal ["server_numbers", { server: "webrick", processes: 1, threads: 5 }], causes.last
    end

    OWN = {
      ["puma", { processes: 2, threads: 3 }] =>
        ["config/puma.rb", ["workers 2", "threads 3, 3", "preload_app! false"], []],
      ["puma", { processes: 2, threads: 3, preload: true }] =>
        ["config/puma.rb", ["workers 2", "threads 3, 3", "preload_app!"], []],
      ["puma", { processes: 1, threads: 5, preload: true }] =>
        ["config/puma.rb", ["workers 0", "threads 5, 5"], []],
      ["unicorn", { processes: 2, threads: 1 }] =>
        ["config/unicorn.rb", ["worker_processes 2", "preload_app false"],
         %w[-c config/unicorn.rb]],
      ["unicorn", { processes: 1, threads: 1, preload: true }] =>
        ["config/unicorn.rb", ["worker_processes 1", "preload_app true"], %w[-c config/unicorn.rb]],
      ["pitchfork", { processes: 2, threads: 1 }] =>
        ["config/pitchfork.rb", ["worker_processes 2"], %w[-c config/pitchfork.rb]],
      ["pitchfork", { processes: 2, threads: 1, refork: true }] =>
        ["config/pitchfork.rb", ["worker_processes 2", "refork_after [50, false]"],
         %w[-c config/pitchfork.rb]],
      ["itsi", { processes: 2, threads: 3 }] =>
        ["Itsi.rb", ["workers 2", "threads 3", "preload false", 'rackup_file "./config.ru"'], []],
      ["trinidad", { processes: 1, threads: 3 }] =>
        ["config/trinidad.yml", ["jruby_min_runtimes: 1", "jruby_max_runtimes: 1", "http:",
                                 "  maxThreads: 3"], []],
      ["tomcat", { processes: 1, threads: 3 }] =>
        ["conf/server.xml", ['<Connector port="8080" maxThreads="3" minSpareThreads="3" />'], []],
      ["jetty", { processes: 1, threads: 3 }] =>
        [nil, [], %w[jetty.threadPool.maxThreads=5 jetty.threadPool.reservedThreads=0
                     jetty.http.acceptors=1 jetty.http.selectors=1]],
      ["mizuno", { processes: 1, threads: 8 }] => [nil, [], %w[-O threads=10]],
      ["falcon", { processes: 2, threads: nil }] => [nil, [], %w[--count 2]],
      ["falcon", { processes: 1, threads: 3 }] => [nil, [], %w[--threaded --count 3]],
      ["falcon", { processes: 2, threads: 3 }] => [nil, [], %w[--hybrid --forks 2 --threads 3]],
      ["iodine", { processes: 1, threads: 3 }] => [nil, [], %w[-w 1 -t 3]],
      ["iodine", { processes: 1, threads: 3, version: "0.8.3" }] =>
        [nil, [], %w[--preload -w 0 -t 3]],
      ["agoo", { processes: 2, threads: 1 }] => [nil, [], %w[-w 2]],
      ["thin", { processes: 1, threads: 1 }] => [nil, [], []],
      ["thin", { processes: 1, threads: 5 }] => [nil, [], %w[--threaded --threadpool-size 5]],
      ["passenger", { processes: 2, threads: 1, preload: true }] =>
        [nil, [], %w[--max-pool-size 2 --min-instances 2 --spawn-method smart]],
      ["webrick", { processes: 1, threads: nil }] => [nil, [], []],
    }.freeze

    OWN.each do |(name, given), expected|
      test "what a person writes for #{name} with #{given}" do
        own = Servers.fetch(name).own_settings(**given)

        assert_equal [*expected, {}], own.to_h.values_at(:file, :lines, :argv, :env)
        assert_equal expected[1].map { |line| "#{line}\n" }.join, own.text
      end
    end

    test "what a person writes for puma goes where puma looks first, if that file is there" do
      own = lambda do |*paths|
        with_files(paths.to_h { |path| [path, ""] }) do |dir|
          app = Application.new(dir)
          Servers.fetch("puma").own_settings(processes: 2, threads: 3, app:).file
        end
      end

      assert_equal "config/puma.rb", own.call
      assert_equal "config/puma.rb", own.call("config/puma.rb")
      assert_equal "config/puma/production.rb",
                   own.call("config/puma.rb", "config/puma/production.rb")
    end

    test "a comment is in the language of the file" do
      puma, tomcat = %w[puma tomcat].map do |name|
        Servers.fetch(name).own_settings(processes: 1, threads: 3)
      end

      assert_equal "# 3.4.5 --yjit: 214/s\n# [206, 221]\n",
                   puma.comment("3.4.5 --yjit: 214/s\n[206, 221]")
      assert_equal "<!-- 3.4.5 - -yjit -->\n", tomcat.comment("3.4.5 --yjit")
    end

    private

    def server(name, dir: "/app", **settings)
      bind = Servers::Bind.new(host: "127.0.0.1", port: 20_001)
      settings = { processes: 1, threads: 5, bind:, folder: "/scratch", **settings }
      settings = Servers::Settings.new(**settings)
      Servers.fetch(name).new(settings, app: Application.new(dir))
    end

    def parsed(text)
      found = Servers.parse(text)
      settings = Servers::Settings.new(**found.slice(:processes, :threads))
      Servers.fetch(found.fetch(:name)).new(settings, app: Application.new("/app"))
    end

    def refusal(text, engine) = parsed(text).refusal(Interpreter.new(engine))&.summary
  end
end
