# frozen_string_literal: true

module Mohs
  # Application servers: each member turns settings into a command line, and declares its
  # capabilities. Nothing here starts one.
  module Servers
    extend Family
    family "server", folder: File.join(__dir__, "servers"), list: "mohs servers"

    # Where a server listens: host and port, or the path of a unix socket.
    Bind = Struct.new(:host, :port, :unix, keyword_init: true)

    # The settings of a server. `threads` nil: it has no such number. `own_config`: the
    # application's own configuration of this server is used, except for the address. `config`: the
    # path of a file to use instead, relative to the application's folder; `processes` and `threads`
    # are nil then. `folder`: a scratch folder of this trial, for generated files. `version`: of the
    # server's gem in the bundle; nil where it is not known yet.
    Settings = Struct.new(:processes, :threads, :preload, :refork, :own_config, :config, :bind,
                          :folder, :version, keyword_init: true)

    # How to start it, as data: `executable` of `gem` (an absolute path if gem is nil), run in the
    # application's folder after `files` ({ absolute path => content }) were written. It is up when
    # `expected_processes` processes of its tree have a command line that matches `worker_pattern`
    # (nil: the process itself serves) and its log has as many `ready_line`s (nil: it has none).
    # Titles alone won't do: Puma's and Unicorn's workers set theirs before they load anything.
    # `root_serves` false: the first process has a worker's command line, and serves nothing.
    # `helper_pattern`: command lines of those that serve no application and work for each request.
    # `ready_file`: the file that gets the ready lines, where the log doesn't.
    # `ruby_file`: the server is a program of its own, which starts the application's Ruby by this
    # path; a script is written there (Trial::Setup) that has the variant's Ruby, flags, bundle and
    # environment.
    # Under the application's own configuration `expected_processes` is nil, and `workers_line`
    # matches the log line with their number, if there are any.
    Launch = Struct.new(:gem, :executable, :args, :env, :files, :ruby_file, :expected_processes,
                        :workers_line, :worker_pattern, :root_serves, :ready_line, :ready_file,
                        :helper_pattern, keyword_init: true) do
      #: (executable: String, args: Array[String], ?gem: String?, ?env: Hash[String, String?], ?files: Hash[String, String], ?expected_processes: Integer?, ?worker_pattern: Regexp?, ?ready_line: Regexp?, ?workers_line: Regexp?, ?root_serves: bool, ?ruby_file: String?, ?ready_file: String?, ?helper_pattern: Regexp?) -> void
      def initialize(**fields)
        super(env: {}, files: {}, expected_processes: 1, root_serves: true, **fields)
        freeze
      end

      # How many workers there have to be; nil if nothing says.
      #: (String) -> Integer?
      def expected(log) = expected_processes || log[workers_line, 1]&.to_i

      # Those among the processes of its tree that serve, by their command lines ({ pid => text });
      # `root` alone where no worker has a name.
      #: (Hash[Integer, String], root: Integer) -> Array[Integer]
      def workers(command_lines, root:)
        return [root] unless worker_pattern

        named = command_lines.select { |_, text| worker_pattern.match?(text) }.keys
        root_serves ? named : named - [root]
      end

      # Those that only help to serve, by their command lines.
      #: (Hash[Integer, String]) -> Array[Integer]
      def helpers(command_lines)
        command_lines.select { |_, text| helper_pattern&.match?(text) }.keys
      end

      # How often the workers were forked anew, by their command lines ({ pid => text }): the fewest
      # times of one; nil where these don't say.
      #: (Hash[Integer, String]) -> Integer?
      def generation(command_lines)
        return unless worker_pattern&.names&.include?("generation")

        command_lines.values.filter_map { |text| text[worker_pattern, :generation]&.to_i }.min
      end

      # How many workers have loaded the application, as the server's log says; nil if it doesn't.
      #: (String) -> Integer?
      def booted(log)
        return unless ready_line && expected(log)

        (ready_file ? read(ready_file) : log).scan(ready_line).size
      end

      private

      def read(path) = File.exist?(path) ? File.binread(path) : ""
    end

    # How a server that people start by themselves gets a setting that mohs has measured. `file`:
    # where its settings are usually written, relative to the application's folder (nil: in none,
    # its command line has them), and `lines` the lines of that file. `argv`: words of its command
    # line, which also name the file where the server does not look for it. `env`: variables of the
    # environment (nil: unset). A server that has nothing to set has neither lines nor words.
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

      # `text`, of one line or several, as the file's language takes it for a comment.
      #: (String) -> String
      def comment(text)
        return text.lines(chomp: true).map { |line| "# #{line}\n" }.join unless xml?

        "<!-- #{text.gsub('--', '- -')} -->\n"
      end

      private

      def xml? = file.to_s.end_with?(".xml")
    end

    # A server as people write it: "puma", "falcon:2", "puma:2x5" (processes x threads).
    #: (String) -> { name: String, processes: Integer, threads: Integer? }
    def self.parse(text)
      name, numbers = text.split(":", 2)
      { name:, **fetch(name.to_s).parse(numbers) }
    end
  end
end
