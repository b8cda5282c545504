# frozen_string_literal: true

require "open3"
require "test_helper"
require "mohs/inside/fleet_host"
require "support/postgres"
require "support/ssh_server"

# What `mohs fleet init` does on a host: by its program alone, with commands that take down how they
# are called; and whole, through a real sshd.
class FleetHostTest < Mohs::TestCase
  include Mohs::Leftovers

  URL = %q(postgres://lab:p"a$s`s\@db/lab)
  LIMIT_S = 900

  # Writes its arguments into the folder that it is in. For systemctl a unit is always active.
  SCRIPT = "#!/bin/sh\necho \"$0 $*\" >> \"${0%/*}/calls\"\necho active\n"
  # The same, and "installs" a mohs, or says why not.
  GEM = <<~RUBY
    #!/usr/bin/env ruby
    require "fileutils"
    File.write(File.join(__dir__, "calls"), "gem \#{ARGV.join(' ')}\n", mode: "a")
    abort "Building\nno space left" if File.exist?(File.join(__dir__, "../full"))
    bin = ARGV[ARGV.index("--bindir") + 1]
    FileUtils.mkdir_p(bin)
    FileUtils.cp(File.join(__dir__, "../mohs"), bin)
  RUBY

  # Units that are there already, one of them for this user.
  WORKER = { ".config/systemd/user/mohs-worker.service": "",
             "units/mohs-worker.service": "" }.freeze

  MOHS = "#!/usr/bin/env ruby\nputs ENV['MOHS_DATABASE_URL']\nexit ENV['FAIL'].nil?\n"

  # A machine below `home`.
  def machine(**files)
    with_files("bin/gem" => GEM, "bin/systemctl" => SCRIPT, "bin/loginctl" => SCRIPT,
               "mohs" => MOHS, "booted/x" => "", **files.transform_keys(&:to_s)) do |home|
      Dir["#{home}/bin/*"].each { |path| File.chmod(0o755, path) }
      yield home
    end
  end

  # Lines that it prints.
  def say(home, order, gem = "", booted: "booted", settle_s: 0.1, step_s: 60)
    File.binwrite("#{home}/input", "#{JSON.generate(order)}\n#{gem}")
    env = { "HOME" => home, "XDG_CONFIG_HOME" => nil, "XDG_RUNTIME_DIR" => nil,
            "PATH" => "#{home}/bin:#{ENV.fetch('PATH')}", "RUBYOPT" => nil }
    code = "MohsFleetHost.new(File.open(#{"#{home}/input".inspect}, 'rb'), " \
           "booted: #{"#{home}/#{booted}".inspect}, units: #{"#{home}/units".inspect}, " \
           "settle_s: #{settle_s}, step_s: #{step_s}).call"
    out, status = Open3.capture2(env, Gem.ruby, "-r", program, "-e", code)
    assert_predicate status, :success?
    out.lines.map { |line| JSON.parse(line) }
  end

  def program = File.join(Mohs.root, "lib/mohs/inside/fleet_host.rb")

  def order(gem, **changes)
    { do: "install", name: "a", url: URL, noisy: false, gems: { que: "~> 2.4" },
      sha256: Digest::SHA256.hexdigest(gem), **changes }
  end

  def unit(home)
    Dir["#{home}/{units,.config/systemd/user}/mohs-worker.service"].first
  end

  test "a machine says what it has, and is not changed" do
    machine do |home|
      before = Dir["#{home}/**/*"].sort
      found = say(home, { do: "look" }).last

      assert_equal [RUBY_VERSION, "ruby", Socket.gethostname, false],
                   found.values_at("ruby", "engine", "name", "there")
      assert_equal "#{home}/.config/mohs/worker.env", found["settings"]
      assert found["unit"].start_with?(home)
      assert_nil say(home, { do: "look" }, booted: "none").last["unit"]
      assert_equal before, Dir["#{home}/**/*"].sort - ["#{home}/input"]
    end
  end

  test "gems, the store's address and a unit are put there, and the worker is started" do
    machine do |home|
      lines = say(home, order("\xFF gem".b, noisy: true), "\xFF gem".b)

      assert_equal [%w[gems database worker], { "state" => "ready" }],
                   [lines.filter_map { |line| line["step"] }, lines.last]
      calls = File.read("#{home}/bin/calls")
      assert_match(%r{gem install que -v ~> 2\.4 --conservative --no-document}, calls)
      assert_match(/systemctl .*restart mohs-worker\.service/, calls)
      assert_equal "600", File.stat("#{home}/.config/mohs/worker.env").mode.to_s(8)[-3..]
      assert_equal URL, sourced("#{home}/.config/mohs/worker.env")
      refute_includes File.read(unit(home)), "p\"a"
      assert_match(/^ExecStart="\S+ruby\S*" "\S+mohs" "worker" "--name" "a" "--noisy"$/,
                   File.read(unit(home)))
    end
  end

  # systemd gives root's services no HOME (systemd.exec(5)), and mohs keeps its gems below it.
  test "a worker has a home, and is not started again when it refuses to work" do
    machine do |home|
      say(home, order(""))
      text = File.read(unit(home))

      assert_match(/^Environment="PATH=[^"]+" "HOME=#{Regexp.escape(home)}"$/, text)
      assert_match(/^RestartPreventExitStatus=2 4$/, text)
      errors = [Mohs::UsageError, Mohs::EnvironmentError].map { |one| one.new("").exit_status }
      assert_equal [[2, 4], 1], [errors, Mohs::Fleet::Worker::Lost.new("").exit_status]
    end
  end

  test "a worker that ends soon after its start is a failure, with what it said" do
    ended = "#!/bin/sh\ncase $* in *is-active*) echo failed; exit 3; esac\n"
    log = "#!/bin/sh\necho Started\necho 'mohs: this host is too noisy: steal'\necho Stopped\n"
    machine("bin/systemctl": ended, "bin/journalctl": log) do |home|
      assert_equal({ "state" => "failed",
                     "reason" => "the worker ended: mohs: this host is too noisy: steal" },
                   say(home, order("")).last)
    end
    [1, 0].each do |status|
      machine("bin/systemctl": ended, "bin/journalctl": "#!/bin/sh\nexit #{status}\n") do |home|
        assert_equal "the worker ended: see systemctl status mohs-worker.service there",
                     say(home, order("")).last["reason"]
      end
    end
  end

  test "a second time the address is replaced, and what a person has added stays" do
    machine(".config/mohs/worker.env": "A=1\nMOHS_DATABASE_URL=old\nB=2") do |home|
      say(home, order(""))

      lines = File.readlines("#{home}/.config/mohs/worker.env").map { |line| line[/\A\w+=\d?/] }
      assert_equal %w[A=1 B=2 MOHS_DATABASE_URL=], lines
      assert say(home, { do: "look" }).last["there"]
    end
  end

  test "without systemd it is said how a worker is started" do
    machine do |home|
      answer = say(home, order(""), booted: "none").last

      assert_equal ["installed", %w[worker --name a]], [answer["state"], answer["start"].last(3)]
      assert_nil unit(home)
    end
  end

  test "what fails ends it with the last that was said, before a worker is started" do
    machine(full: "") do |home|
      assert_equal [{ "state" => "failed", "reason" => "#{File.basename(Gem.ruby)} -S gem " \
                                                       "install: Building no space left" }],
                   say(home, order(""))
      assert_nil unit(home)
    end
  end

  test "a step that takes too long fails, and nothing that it has started goes on" do
    gem = "#!/usr/bin/env ruby\nFile.write(File.join(__dir__, '../pid'), spawn('sleep 60'))\nsleep"
    machine("bin/gem": gem, **WORKER) do |home|
      answer = say(home, order(""), step_s: 1).last
      pid = File.read("#{home}/pid").to_i
      wait_for(10) { !alive?(pid) }

      assert_equal({ "state" => "failed", "reason" => "#{File.basename(Gem.ruby)} -S gem install " \
                                                      "has not ended after 1 min" }, answer)
      assert_equal %w[is-active stop start], calls(home)
      refute alive?(pid)
    end
  end

  test "a step is over when its command has ended, whoever else has its output open" do
    left = "spawn('sleep 5', pgroup: true).then { |pid| File.write(\"\#{__dir__}/../pid\", pid) }\n"
    machine("bin/gem": GEM + left) do |home|
      assert_equal({ "state" => "ready" }, say(home, order(""), step_s: 4).last)
    ensure
      Process.kill(:KILL, File.read("#{home}/pid").to_i)
    end
  end

  test "a command that closes its output and goes on takes too long, too" do
    gem = "#!/usr/bin/env ruby\n[$stdout, $stderr].each { |io| io.reopen(File::NULL) }\n" \
          "sleep 10\nFile.write(\"\#{__dir__}/../ended\", \"\")\n"
    machine("bin/gem": gem) do |home|
      assert_match(/ has not ended after 1 min\z/, say(home, order(""), step_s: 1).last["reason"])
      refute_path_exists "#{home}/ended"
    end
  end

  test "a unit whose state systemd does not tell is not taken for one that has ended" do
    hangs = "#{SCRIPT}case $* in *is-active*) sleep 30; esac\n"
    { WORKER => [1, %w[is-active]],
      {} => [4, %w[gem restart is-active]] }.each do |there, (step_s, called)|
      machine("bin/systemctl": hangs, **there) do |home|
        answer = say(home, order(""), step_s:).last

        assert_equal ["failed", called], [answer["state"], calls(home)]
        assert_match(/\Asystemctl .*is-active /, answer["reason"])
      end
    end
  end

  # What was called, in this order.
  def calls(home)
    File.readlines("#{home}/bin/calls").filter_map do |line|
      line[/systemctl.* (stop|start|restart|is-active) /, 1] || line[/^gem/]
    end.chunk_while { |one, other| one == other }.map(&:first)
  end

  test "a worker that is there does not measure while its successor is installed" do
    machine do |home|
      say(home, order(""))
      File.delete("#{home}/bin/calls")
      say(home, order(""))

      assert_equal %w[is-active stop gem restart is-active], calls(home)
    end
  end

  test "a worker that is there works on if its successor can't be installed" do
    machine do |home|
      say(home, order(""))
      old = File.read("#{home}/.config/mohs/worker.env")
      { "gem" => -> { File.write("#{home}/full", "") },
        "database" => lambda do
          File.delete("#{home}/full")
          File.write("#{home}/mohs", "abort 'no database'\n")
        end }.each_value do |fault|
        File.delete("#{home}/bin/calls")
        fault.call
        answer = say(home, order("", url: "postgres://other/lab")).last

        assert_equal ["failed", %w[is-active stop gem start]], [answer["state"], calls(home)]
        assert_equal old, File.read("#{home}/.config/mohs/worker.env")
      end
    end
  end

  test "a worker that systemd is about to start again is stopped, one that has failed is not" do
    { "activating" => "stop", "failed" => "gem" }.each do |state, first|
      waits = "#{SCRIPT.sub('active', state)}case $* in *is-active*) exit 3; esac\n"
      machine("bin/systemctl": waits, full: "", **WORKER) do |home|
        say(home, order(""))

        assert_equal ["is-active", first], calls(home).first(2)
      end
    end
  end

  test "the store's address is for its owner alone, whatever an interrupted set-up left" do
    machine(".config/mohs/worker.env.new": "") do |home|
      File.chmod(0o644, "#{home}/.config/mohs/worker.env.new")
      say(home, order(""))

      assert_equal "600", File.stat("#{home}/.config/mohs/worker.env").mode.to_s(8)[-3..]
    end
  end

  test "a gem that did not arrive whole is not installed" do
    machine do |home|
      assert_equal [{ "state" => "failed", "reason" => "the gem did not arrive whole" }],
                   say(home, order("a gem"), "a g")
      refute_path_exists "#{home}/bin/calls"
    end
  end

  test "systemd accepts the unit" do
    analyze = "/usr/bin/systemd-analyze"
    skip "systemd-analyze is not installed" unless File.executable?(analyze)

    machine do |home|
      say(home, order(""))
      said, = Open3.capture2e(analyze, "verify", "--man=no", unit(home))
      assert_equal [], said.lines.grep(/mohs-worker/)
    end
  end

  slow_test "a machine that sshd lets in becomes a host, whose worker the fleet sees" do
    missing = Mohs::SshServer.missing || Mohs::PostgresCluster.missing
    skip missing if missing

    with_files do |folder|
      server = Mohs::SshServer.new(folder)
      env = { "MOHS_DATABASE_URL" => Mohs::PostgresCluster.shared.empty_database,
              "PATH" => "#{server.commands}:#{ENV.fetch('PATH')}" }
      asked = Mohs::MohsCommand.new(folder, env:)
      said = asked.call("fleet", "init", Mohs::SshServer::HOST, "--name", "far", "--noisy",
                        "--json", limit_s: LIMIT_S)
      host = said.json[:hosts].first
      assert_equal ["installed", nil, %w[gems database]],
                   [host[:state], host[:reason], host[:steps].map { |step| step[:step] }]

      worker = server.start("set -a; . #{host[:settings]}; exec #{host[:start].join(' ')}")
      store = Mohs::Store.open(env["MOHS_DATABASE_URL"])
      deadline = Mohs::Clock.deadline(60)
      sleep 0.2 until store.hosts.any? || Mohs::Clock.mono_ns > deadline
      assert_equal ["far"], store.hosts.map(&:name)
    ensure
      store&.close
      ::Process.kill(:TERM, worker) && ::Process.wait(worker) if worker
      server&.stop
    end
  end

  private

  def sourced(file)
    Open3.capture2("sh", "-c", ". \"$1\"; printf %s \"$MOHS_DATABASE_URL\"", "sh", file).first
  end
end
