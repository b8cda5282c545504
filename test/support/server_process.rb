# frozen_string_literal: true

require "fileutils"
require "net/http"
require "socket"

module Mohs
  # One real server on Ruby's own interpreter, for tests: booted from what its member of Servers
  # declares, without a trial.
  class ServerProcess
    Application = Struct.new(:dir)
    HELLO = { "config.ru" => <<~RUBY }.freeze
      run ->(env) { [200, { "content-type" => "text/plain" }, ["Hello"]] }
    RUBY
    LIMIT_S = 60

    attr_reader :child, :bind, :launch, :folder

    # Yields a booted server, and ends it afterwards in any case.
    def self.boot(text, folder:, **options)
      Process::Port.lease do |port|
        server = new(text, folder, Servers::Bind.new(host: "127.0.0.1", port:), **options)
        server.wait
        yield server
      ensure
        server&.child&.kill
      end
    end

    # folder: the application's, and for all scratch files. start: the words of a user's command
    # line (HOST, PORT and OWN stand for the address and Servers::OwnSettings#argv) instead of
    # ours; the server then has OwnSettings with these numbers.
    def initialize(text, folder, bind, flags: [], env: {}, unix: false, refork: false,
                   preload: false, start: nil)
      @folder = folder
      @log = File.join(folder, "log")
      @bind = unix ? Servers::Bind.new(unix: File.join(folder, "socket")) : bind
      parsed = Servers.parse(text)
      @threads = parsed[:threads]
      settings = Servers::Settings.new(**parsed.slice(:processes, :threads), bind: @bind, folder:,
                                                                             refork:, preload:)
      @server = Servers.fetch(parsed[:name])
      @launch = @server.new(settings, app: Application.new(folder)).launch
      @launch = own(settings, start) if start
      engine = Rubies::Engines.named("ruby")
      File.write(attest, Probes::Inside.script(engine:, server: @server))
      @launch.files.each do |path, content|
        FileUtils.mkdir_p(File.dirname(path))
        File.write(path, content, perm: 0o700)
      end
      @child = Process::Spawner.new.spawn(command(flags, env), log: @log)
    end

    # Returns when it responds and all its workers are there. Raises if it ends or takes too long.
    def wait
      deadline = Clock.deadline(LIMIT_S)
      until up?
        in_vain = !@child.alive? || Clock.mono_ns > deadline
        raise "no server: #{@child.exit_status}\n#{@child.log_tail(20)}" if in_vain

        sleep 0.01
      end
    end

    def workers
      lines = @child.pids.to_h { |pid| [pid, Process::Tree.command_line(pid)] }
      @launch.workers(lines, root: @child.pid)
    end

    def generation
      @launch.generation(@child.pids.to_h { |pid| [pid, Process::Tree.command_line(pid)] })
    end

    def attestation
      Probes::Attestation.read(Probes::Inquiry.new(inside), @child.pids,
                               workers: (workers if @launch.worker_pattern), threads: @threads)
    end

    def connect = @bind.unix ? UNIXSocket.new(@bind.unix) : TCPSocket.new(@bind.host, @bind.port)

    # The bytes that come back for one request, up to the end of the connection.
    def get(path = "/")
      socket = connect
      socket.write("GET #{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      socket.read
    ensure
      socket&.close
    end

    # The responses to two requests in a row on one connection; the second request is sent after
    # the first response.
    def twice
      socket = connect
      answers = []
      2.times do
        socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answers << read_answer(socket)
      end
      answers.select(&:itself)
    rescue SystemCallError
      answers
    ensure
      socket&.close
    end

    def stop = @child.stop(signal: @server.stop_signal, grace_s: 20)

    private

    def own(settings, start)
      own = @server.own_settings(**settings.to_h.slice(:processes, :threads, :preload, :refork))
      args = start.flat_map do |word|
        word == "OWN" ? own.argv : word.gsub(/HOST|PORT/, "HOST" => bind.host, "PORT" => bind.port)
      end
      files = own.file ? { File.join(@folder, own.file) => own.text } : {}
      Servers::Launch.new(**@launch.to_h, args:, files:)
    end

    def inside = File.join(@folder, "inside")

    def attest = File.join(@folder, Probes::Inside::FILE)

    def read_answer(socket)
      head = socket.gets("\r\n\r\n")
      length = head.to_s[/^content-length:\s*(\d+)/i, 1].to_i
      head + socket.read(length) if head&.start_with?("HTTP/1.1 ")
    end

    def up?
      ready = [workers.size, *@launch.booted(File.binread(@log))].min
      ready >= @launch.expected("") && get.start_with?("HTTP/1.1 200")
    rescue SystemCallError
      false
    end

    def command(flags, env)
      return ruby(flags, env, script, *@launch.args) unless @launch.ruby_file

      File.write(@launch.ruby_file, ruby(flags, env).to_script, perm: 0o700)
      Process::Command.new(argv: [@launch.executable, *@launch.args], chdir: @folder,
                           env: { "TMPDIR" => @folder, **@launch.env })
    end

    def script
      @launch.gem ? ServerGems.executable(@launch.executable) : @launch.executable
    end

    def ruby(flags, env, *arguments)
      given = { "RACK_ENV" => "production", "MOHS_INSIDE" => inside, "RUBYOPT" => "-r#{attest}",
                "TMPDIR" => @folder }
      gems = @launch.gem || @launch.ruby_file ? ServerGems.env : {}
      Process::Command.new(argv: ["ruby", *flags, *arguments], chdir: @folder,
                           env: given.merge(gems, @launch.env, env))
    end
  end
end
