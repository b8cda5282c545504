# frozen_string_literal: true

module Mohs
  # Application servers: each member turns settings into a command line and declares its
  # capabilities. Nothing here starts a server.
  module Servers
    extend Family
    family "server", folder: File.join(__dir__, "servers"), list: "mohs servers"

    # The address a server listens on: host and port, or the path of a unix socket.
    Bind = Struct.new(:host, :port, :unix, keyword_init: true)

    # The settings of a server. `threads` is nil if the server has no such number. `own_config`: use
    # the application's own configuration of this server, except for the address. `config`: the path
    # of a configuration file to use instead, relative to the application's folder; `processes` and
    # `threads` are then nil. `folder`: a scratch folder of this trial, for generated files.
    # `version`: the version of the server's gem in the bundle; nil if not known yet.
    Settings = Struct.new(:processes, :threads, :preload, :refork, :own_config, :config, :bind,
                          :folder, :version, keyword_init: true)

    # How to start a server, as data: run `executable` of `gem` (an absolute path if gem is nil) in
    # the application's folder after writing `files` ({ absolute path => content }). The server is
    # up when the command lines of `expected_processes` processes in its tree match `worker_pattern`
    # (nil: the process itself serves) and its log contains as many lines matching `ready_line`
    # (nil: it has none). Process titles alone are not enough: Puma's and Unicorn's workers set
    # theirs before they load anything.
    #
    # `root_serves`: false if the first process has a worker's command line but serves nothing.
    # `helper_pattern`: matches the command lines of processes that don't run the application but
    # work for each request. `ready_file`: the file that the ready lines are written to, if not the
    # log. `ruby_file`: for a server that is a program of its own and starts the application's Ruby
    # by this path; Trial::Setup writes a script there with the variant's Ruby, flags, bundle and
    # environment.
    #
    # Under the application's own configuration, `expected_processes` is nil, and `workers_line`
    # matches the log line with the number of workers, if there are any. `preload_line`: matches the
    # log line that says that the application is loaded before the workers are forked (nil: its log
    # never says so).
    Launch = Struct.new(:gem, :executable, :args, :env, :files, :ruby_file, :expected_processes,
                        :workers_line, :preload_line, :worker_pattern, :root_serves, :ready_line,
                        :ready_file, :helper_pattern, keyword_init: true) do
      #: (executable: String, args: Array[String], ?gem: String?, ?env: Hash[String, String?], ?files: Hash[String, String], ?expected_processes: Integer?, ?worker_pattern: Regexp?, ?ready_line: Regexp?, ?workers_line: Regexp?, ?preload_line: Regexp?, ?root_serves: bool, ?ruby_file: String?, ?ready_file: String?, ?helper_pattern: Regexp?) -> void
      def initialize(**fields)
        super(env: {}, files: {}, expected_processes: 1, root_serves: true, **fields)
        freeze
      end

      # How many workers there have to be; nil if that is unknown.
      #: (String) -> Integer?
      def expected(log) = expected_processes || log[workers_line, 1]&.to_i

      # Does the log say that the application was loaded before the workers were forked? nil if that
      # is unknown, or if there is but one process.
      #: (String) -> bool?
      def preloaded?(log)
        preload_line.match?(log) if preload_line && expected(log).to_i > 1
      end

      # The processes of its tree that serve, judged by their command lines ({ pid => text });
      # `root` alone if there is no `worker_pattern`.
      #: (Hash[Integer, String], root: Integer) -> Array[Integer]
      def workers(command_lines, root:)
        return [root] unless worker_pattern

        named = command_lines.select { |_, text| worker_pattern.match?(text) }.keys
        root_serves ? named : named - [root]
      end

      # The processes that only help to serve, judged by their command lines.
      #: (Hash[Integer, String]) -> Array[Integer]
      def helpers(command_lines)
        command_lines.select { |_, text| helper_pattern&.match?(text) }.keys
      end

      # How often the workers have been reforked, judged by their command lines ({ pid => text }):
      # the minimum over the workers; nil if the command lines don't show it.
      #: (Hash[Integer, String]) -> Integer?
      def generation(command_lines)
        return unless worker_pattern&.names&.include?("generation")

        command_lines.values.filter_map { |text| text[worker_pattern, :generation]&.to_i }.min
      end

      # How many workers have loaded the application, according to the server's log; nil if the log
      # doesn't show it.
      #: (String) -> Integer?
      def booted(log)
        return unless ready_line && expected(log)

        (ready_file ? read(ready_file) : log).scan(ready_line).size
      end

      private

      def read(path) = File.exist?(path) ? File.binread(path) : ""
    end

    # How to give a server that is started without mohs a setting that mohs has measured. `file`:
    # where its settings are usually written, relative to the application's folder (nil: nowhere,
    # they are on its command line), and `lines`, the lines of that file. `argv`: words of its
    # command line, which also name the file if the server does not look for it. `env`: environment
    # variables (nil: unset). A server without settings has neither lines nor words.
    OwnSettings = Struct.new(:file, :lines, :argv, :env, keyword_init: true) do
      #: (?file: String?, ?lines: Array[String], ?argv: Array[String], ?env: Hash[String, String?]) -> void
      def initialize(file: nil, lines: [], argv: [], env: {})
        super(file: lines.empty? ? nil : file, lines: lines.map(&:freeze).freeze,
              argv: argv.map(&:freeze).freeze, env: env.dup.freeze)
        freeze
      end

      # The text of the file; "" if there are no lines.
      #: () -> String
      def text = lines.map { |line| "#{line}\n" }.join

      # `text`, one or more lines, as a comment in the file's language.
      #: (String) -> String
      def comment(text)
        return text.lines(chomp: true).map { |line| "# #{line}\n" }.join unless xml?

        "<!-- #{text.gsub('--', '- -')} -->\n"
      end

      private

      def xml? = file.to_s.end_with?(".xml")
    end

    # Parses a server as people write it: "puma", "falcon:2", "puma:2x5" (processes x threads).
    #: (String) -> { name: String, processes: Integer, threads: Integer? }
    def self.parse(text)
      name, numbers = text.split(":", 2)
      { name:, **fetch(name.to_s).parse(numbers) }
    end
  end
end
