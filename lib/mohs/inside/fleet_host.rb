# frozen_string_literal: true

# Runs on a host of a fleet, by that host's own Ruby from 2.5 on: `mohs fleet init` sends it over
# ssh, then `__END__`, a line of JSON that says what to do, and for `install` the gem of mohs. So
# nothing that is sent stands in a command line there. Prints lines of JSON: those with "step" as
# they are done, the last one is the answer.

require "digest"
require "etc"
require "fileutils"
require "io/wait"
require "json"
require "open3"
require "rbconfig"
require "rubygems"
require "socket"
require "tmpdir"

# What this machine has, and the worker that it is given.
class MohsFleetHost
  # A step that went wrong, with the end of what it printed.
  class Failed < StandardError
    # All that the command printed; nil if none has ended.
    attr_reader :printed

    def initialize(message, printed: nil)
      super(message)
      @printed = printed
    end
  end

  UNIT = "mohs-worker.service"
  URL = "MOHS_DATABASE_URL"
  # Between two starts of a worker that ended: its first act is to keep all cores busy.
  RESTART_S = 20
  # Exit statuses of a worker that refuses to work (UsageError, EnvironmentError: a noisy host, a
  # name that is taken, a missing gem). Started again, it would only refuse again.
  REFUSALS = "2 4"
  # A machine that boots is noisy: so many seconds after its boot a worker may be started.
  BOOTED_S = 120
  AFTER_BOOT = "read up idle < /proc/uptime; up=${up%.*}; " \
               "[ $up -ge #{BOOTED_S} ] || sleep $((#{BOOTED_S} - up))"
  # A worker that refuses to work has ended by then: it looks at the host for 3 s first.
  SETTLE_S = 10
  LOG_LINES = 20
  STATUS = "see systemctl status #{UNIT} there"
  SAID = 5
  # Of a step, and of a command of the last, in which systemd may wait for a worker to end.
  STEP_S = 600
  POLL_S = 0.2
  # Bytes that a pipe holds: what a command that has ended may have left there.
  PIPE = 1 << 16
  # What sh and systemd read as something else between double quotes.
  SPECIAL = /["\\`$]/.freeze

  # booted: there if this machine runs systemd (sd_booted(3)). units: root's own. settle_s: how long
  # a worker has to run to be ready. step_s: how long a step may take.
  def initialize(input, out: $stdout, booted: "/run/systemd/system",
                 units: "/etc/systemd/system", settle_s: SETTLE_S, step_s: STEP_S)
    @input = input
    @out = out
    @booted = booted
    @units = units
    @settle_s = settle_s
    @step_s = step_s
  end

  def call
    @order = JSON.parse(@input.gets)
    @order["do"] == "install" ? install : say(found)
  rescue Failed, SystemCallError => error
    say("state" => "failed", "reason" => error.message)
  end

  private

  def found
    { "ruby" => RUBY_VERSION, "engine" => RUBY_ENGINE, "os" => RbConfig::CONFIG["host_os"],
      "name" => Socket.gethostname, "lacks" => lacks, "gems" => Gem.user_dir,
      "settings" => settings, "unit" => (unit if systemd?), "there" => File.exist?(unit) }
  end

  # What gems with C need, by the names of what is looked for.
  def lacks
    header = File.join(RbConfig::CONFIG["rubyhdrdir"].to_s, "ruby.h")
    programs = ["make", RbConfig::CONFIG["CC"].to_s[/\S+/] || "cc"]
    programs << "pg_config" if Gem::Specification.find_all_by_name("pg").empty?
    programs.reject { |name| executable?(name) } + (File.file?(header) ? [] : ["ruby.h"])
  end

  def executable?(name)
    ENV.fetch("PATH", "").split(":").any? { |folder| File.executable?(File.join(folder, name)) }
  end

  def systemd?
    File.directory?(@booted) && executable?("systemctl")
  end

  def root?
    Process.uid.zero?
  end

  def home(name, otherwise)
    ENV[name] || File.join(Dir.home, otherwise)
  end

  def settings
    File.join(home("XDG_CONFIG_HOME", ".config"), "mohs/worker.env")
  end

  def unit
    return File.join(@units, UNIT) if root?

    File.join(home("XDG_CONFIG_HOME", ".config"), "systemd/user", UNIT)
  end

  def install
    Dir.mktmpdir("mohs") do |folder|
      file = received(folder)
      without_worker do
        step("gems") { install_gems(file) }
        step("database") { run(*mohs, "hosts", env: { URL => @order["url"] }) }
        write_settings
      end
    end
    unless systemd?
      return say("state" => "installed", "start" => [*mohs, *worker], "settings" => settings)
    end

    step("worker") { start }
    say("state" => "ready")
  end

  def step(name)
    began = now
    @until_s = began + @step_s
    yield
    say("step" => name, "seconds" => (now - began).round(1))
  end

  def now
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  def received(folder)
    file = File.join(folder, "mohs.gem")
    File.binwrite(file, @input.read)
    return file if Digest::SHA256.file(file).hexdigest == @order["sha256"]

    raise Failed, "the gem did not arrive whole"
  end

  # A worker measures nothing while compilers run beside it: it gives its cohort back. If anything
  # goes wrong, the one that was there works on.
  def without_worker
    stopped = systemd? && File.exist?(unit) && %w[active activating].include?(state)
    systemctl("stop", UNIT) if stopped
    yield
    done = true
  ensure
    start_again if stopped && !done
  end

  def start_again
    @until_s = nil # that of a step that took too long is over
    systemctl("start", UNIT)
  rescue Failed, SystemCallError
    nil # the first failure is the one to report
  end

  def install_gems(file)
    gem("install", file)
    @order["gems"].each { |name, version| gem("install", name, "-v", version, "--conservative") }
  end

  def gem(*words)
    run(Gem.ruby, "-S", "gem", *words, "--no-document", "--install-dir", Gem.user_dir,
        "--bindir", bin)
  end

  def bin
    File.join(Gem.user_dir, "bin")
  end

  def mohs
    [Gem.ruby, File.join(bin, "mohs")]
  end

  def worker
    ["worker", "--name", @order["name"], *("--noisy" if @order["noisy"])]
  end

  # With whatever else the user has put there for applications.
  def write_settings
    FileUtils.mkdir_p(File.dirname(settings))
    others = File.exist?(settings) ? File.readlines(settings).reject { |line| url?(line) } : []
    value = @order["url"].gsub(SPECIAL) { |character| "\\#{character}" }
    others[-1] += "\n" if others.any? && !others.last.end_with?("\n")
    FileUtils.rm_f("#{settings}.new") # perm is that of a new file alone
    File.open("#{settings}.new", File::WRONLY | File::CREAT | File::EXCL, 0o600) do |file|
      file.write(*others, "#{URL}=\"#{value}\"\n")
    end
    File.rename("#{settings}.new", settings)
  end

  def url?(line)
    line.start_with?("#{URL}=")
  end

  def start
    FileUtils.mkdir_p(File.dirname(unit))
    File.write(unit, unit_text)
    # Without a session of the user's own there would be no systemd of theirs after a boot.
    run("loginctl", "enable-linger") unless root?
    systemctl("daemon-reload")
    systemctl("enable", UNIT)
    began = Time.now.to_i
    systemctl("restart", UNIT)
    settle(began)
  end

  def settle(began)
    until_s = now + @settle_s
    while now < until_s
      raise Failed, "the worker ended: #{log_excerpt(began)}" unless state == "active"

      sleep([0.5, @settle_s].min)
    end
  end

  # "active", "failed", "activating" (also where it waits for its next start) and so on: is-active
  # fails for all but the first of these.
  def state
    systemctl("is-active", UNIT).strip
  rescue Failed => error
    raise if error.printed.nil?

    error.printed.strip
  end

  # What the worker itself printed last, as an error if it did; systemd logs more than that. Where
  # the journal is not kept by user, there is nothing.
  def log_excerpt(began)
    lines = of_user("journalctl", "--unit", UNIT, "--since", "@#{began}", "--lines",
                    LOG_LINES.to_s, "--output", "cat", "--no-pager").lines.map(&:strip)
    error = lines.reverse.find { |line| line.start_with?("mohs: ") }
    last = lines.reject(&:empty?).last(SAID).join(" ")
    error || (last.empty? ? STATUS : last)
  rescue Failed, SystemCallError
    STATUS
  end

  def systemctl(*words)
    of_user("systemctl", *words)
  end

  # Root's units are those of the system.
  def of_user(program, *words)
    return run(program, *words) if root?

    run(program, "--user", *words,
        env: { "XDG_RUNTIME_DIR" => ENV["XDG_RUNTIME_DIR"] || "/run/user/#{Process.uid}" })
  end

  def unit_text
    <<-UNIT.gsub(/^ {6}/, "")
      # Written by mohs fleet init. Changes of your own: systemctl edit #{UNIT}
      [Unit]
      Description=mohs worker: measures cohorts of a fleet
      Wants=network-online.target
      After=network-online.target

      [Service]
      Environment=#{quoted("PATH=#{ENV['PATH']}")} #{quoted("HOME=#{Dir.home}")}
      EnvironmentFile=#{settings.gsub('%', '%%')}
      ExecStartPre=/bin/sh -c #{quoted(AFTER_BOOT)}
      ExecStart=#{[*mohs, *worker].map { |word| quoted(word) }.join(' ')}
      Restart=always
      RestartSec=#{RESTART_S}
      RestartPreventExitStatus=#{REFUSALS}
      TimeoutStartSec=#{BOOTED_S + 60}

      [Install]
      WantedBy=#{root? ? 'multi-user' : 'default'}.target
    UNIT
  end

  # As systemd.syntax(7) has it; % would be a specifier and $ a variable.
  def quoted(text)
    %("#{text.gsub(/["\\]/) { |character| "\\#{character}" }.gsub(/[%$]/) { |one| one * 2 }}")
  end

  def run(*words, env: {})
    name = "#{File.basename(words.first)} #{words.drop(1).first(3).join(' ')}"
    said, status = Open3.popen2e(env, *words, pgroup: true) do |to, from, waiter|
      to.close
      [printed(from, waiter) || end_group(waiter, name), waiter.value]
    end
    return said if status.success?

    last = said.scrub("?").lines.map(&:strip).reject(&:empty?).last(SAID).join(" ")
    raise Failed.new("#{name}: #{last}", printed: said.scrub("?"))
  end

  # All that it prints until it ends, even if something that it started has its output open; nil if
  # it has not ended when the step's time is over.
  def printed(from, waiter)
    until_s = @until_s || (now + @step_s)
    said = "".b
    while waiter.alive?
      return if now > until_s

      said << from.readpartial(PIPE) if from.wait_readable(POLL_S)
    end
    said << from.readpartial(PIPE) if from.wait_readable(0)
    utf8(said)
  rescue EOFError
    utf8(said) if waiter.join([until_s - now, 0].max)
  end

  def utf8(said)
    said.force_encoding(Encoding::UTF_8)
  end

  # A gem's compilers end with it. Once it has been waited for, its number may be another's.
  def end_group(waiter, name)
    begin
      Process.kill(:KILL, -waiter.pid) if waiter.alive?
    rescue Errno::ESRCH
      nil # it has just ended
    end
    raise Failed, "#{name} has not ended after #{(@step_s / 60.0).ceil} min"
  end

  def say(fields)
    @out.puts(JSON.generate(fields))
    @out.flush
  end
end

MohsFleetHost.new(DATA.binmode).call if defined?(DATA)
