# frozen_string_literal: true

module Mohs
  # A real application under a server, from its own bundle, booted as a trial boots it: for apps/.
  class AppProcess
    # Bundles and gems are kept between test runs: below the checkout, never in the user's cache.
    CACHE = File.join(Mohs.root, "tmp", "test-cache")

    #: (dir: String, ruby: Rubies::Ruby, ?gemfile: String?, ?processes: Integer, ?env: Hash[String, String], ?server: untyped) -> void
    def initialize(dir:, ruby:, gemfile: nil, processes: 1, env: {}, cache_dir: CACHE,
                   server: Servers::Puma)
      @app = App::Folder.load(dir, gemfile:)
      @ruby = ruby
      @processes = processes
      @env = env
      @server = server
      @bundle = App::Bundle.new(app: @app, ruby:, server_gems: server::GEMS, cache_dir:)
    end

    attr_reader :app, :bundle

    # Boots, yields the port and the child, and ends it. Raises with the log if it doesn't respond.
    #: (String, ?limit_s: Numeric) { (Integer, Process::Child) -> void } -> void
    def run(folder, limit_s: 60)
      result = @bundle.install
      raise "#{result.reason}\n#{result.log_tail}" unless result.ok?

      lease = Process::Port.lease
      child = spawn(lease.number, folder)
      await(lease.number, child, limit_s)
      yield lease.number, child
    ensure
      child&.kill
      lease&.release
    end

    private

    def spawn(port, folder)
      bind = Servers::Bind.new(host: "127.0.0.1", port:)
      settings = Servers::Settings.new(processes: @processes, threads: 5, preload: false,
                                       own_config: false, bind:, folder:)
      launch = @server.new(settings, app: @app).launch
      launch.files.each { |path, content| File.write(path, content) }
      Process::Spawner.new.spawn(command(launch), log: File.join(folder, "server.log"))
    end

    def command(launch)
      env = App::Environment.for(@app, threads: 5).merge(@bundle.env, @env)
      script = @bundle.executable(launch.executable)
      @ruby.command(env:, requires: ["bundler/setup"], script:, args: launch.args, chdir: @app.dir)
    end

    # Any complete response will do: the test checks what it contains.
    def await(port, child, limit_s)
      deadline = Clock.deadline(limit_s)
      begin
        Http::Client.new(port:, timeout_s: 20).ask(@app.default_requests.first)
      rescue TrialError
        raise "no answer:\n#{child.log_tail(30)}" if !child.alive? || Clock.mono_ns > deadline

        sleep 0.05
        retry
      end
    end
  end
end
