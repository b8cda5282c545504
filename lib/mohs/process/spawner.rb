# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Process
    # Starts commands, each below a supervisor of its own (ext/mohs/core/supervisor.h): when mohs
    # dies, even by kill -9, so does everything that it started. A command that cannot be started
    # becomes a child that ended with 127 or 126, as in a shell, with the reason in its log: a wrong
    # declaration is a result, not an exception.
    class Spawner
      # Where execvp(3) looks when there is no PATH.
      DEFAULT_PATH = "/bin:/usr/bin"

      #: (?base_env: Hash[String, String]) -> void
      def initialize(base_env: Environment.clean(ENV.to_h))
        @base_env = base_env
      end

      # Starts `command` on `cpus` (nil: wherever mohs may run), with its standard output and error
      # appended to the file `log`.
      #: (Command, log: String, ?cpus: Array[Integer]?) -> Child
      def spawn(command, log:, cpus: nil)
        File.open(log, "a") { |file| start(command, out: file, err: file, log:, cpus:) }
      end

      # The same with open IOs, which the caller closes. input: nil: nothing to read.
      #: (Command, out: IO, err: IO, ?input: IO?, ?log: String?, ?cpus: Array[Integer]?) -> Child
      def start(command, out:, err:, input: nil, log: nil, cpus: nil)
        env = @base_env.merge(command.env).compact
        path = executable(command.argv.first, env.fetch("PATH", DEFAULT_PATH), command.chdir)
        child = Child.new(**Core.supervise(
          path:, argv: command.argv, env: env.map { |pair| pair.join("=") }, dir: command.chdir,
          in: input&.fileno.to_i, out: out.fileno, err: err.fileno, cpus: cpus || []
        ), log:)
        explain(child.failure, command, err) if child.failure
        child
      rescue Errno::EAGAIN, Errno::ENOMEM, Errno::EMFILE, Errno::ENFILE => error
        raise EnvironmentError, "cannot start #{command.argv.first}: #{error.message}. Too many " \
                                "processes or open files: see ulimit -u and ulimit -n."
      end

      private

      # The file that a shell would run. A name that is not found is returned unchanged: exec then
      # reports ENOENT.
      def executable(name, path, chdir)
        return name if name.include?("/")

        folders = path.split(":").map { |folder| File.expand_path(folder, chdir || Dir.pwd) }
        files = folders.map { |folder| File.join(folder, name) }
        files.find { |file| File.file?(file) && File.executable?(file) } || name
      end

      def explain(failure, command, err)
        what = { moved: "enter the folder #{command.chdir}", pinned: "be bound to its CPUs" }
               .fetch(failure.stage, "start #{command.argv.first}")
        err.write("mohs: cannot #{what}: #{failure.error.message}\n")
        err.flush
      end
    end
  end
end
