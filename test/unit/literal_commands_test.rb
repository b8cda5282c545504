# frozen_string_literal: true

require "test_helper"

# What a procedure's command would do is known to the procedure and the command line; others
# propose it as a Report::Proposal, which keeps what was typed.
class LiteralCommandsTest < Mohs::TestCase
  OWN = %r{\A(?:procedures|cli)/}
  # A word of `mohs run` may follow at once.
  COMMAND = /\bmohs (?:(?:run|compare|tune|gate|bisect|track|repro|load)\b(?!-)|--[a-z])/

  # It says what a command does, and proposes none to type.
  FACTS = %w[exporters/recording_file.rb].freeze

  test "no text outside the procedures and the command line has one of their commands" do
    folder = File.join(Mohs.root, "lib/mohs")
    paths = Dir.glob("**/*.rb", base: folder).grep_v(OWN)

    assert_equal FACTS, paths.sort.select { |path| literal?(File.join(folder, path)) }
  end

  # As a proposal to type: the first word of a Proposal, or of Numbers.command.
  PROPOSED = /\b(?:to|command)\(\s*"(run|compare|tune|gate|bisect|track|repro|load)"/

  # Procedures whose command has another name.
  COMMANDS = { "rounds" => "run", "load_run" => "load" }.freeze

  test "no text proposes the command of another procedure" do
    folder = File.join(Mohs.root, "lib/mohs")
    paths = Dir.glob("**/*.rb", base: folder).grep_v(%r{\A(?:cli|web/views)/})
    found = paths.sort.select do |path|
      own = path[%r{\Aprocedures/([a-z_]+)}, 1]
      File.read(File.join(folder, path)).scan(PROPOSED).flatten.any? do |name|
        name != COMMANDS.fetch(own, own)
      end
    end

    assert_empty found
  end

  # Rooms whose texts the reports of all procedures have.
  SAID = %w[report analysis].freeze
  # In a text, or as a setting that becomes one: Numbers.typed(budget_s: 60).
  OPTION = /(?<![\w-])--[a-z][a-z-]*[a-z]\b|\btyped\(\w+:/
  # Procedures of servers that mohs starts: their options about the subject are the same.
  ALIKE = %w[run compare gate bisect track].freeze
  # Of event streams and WebSockets, which runs and comparisons measure.
  OF_STREAMS = %w[--rate --slice].freeze
  # What another command or program is told.
  OTHERS = /\b(?:mohs (?:doctor|servers|gc)|docker|undo: sudo mohs doctor) --[a-z-]+|--cpus\b/
  # Of imports, which are no procedure; how a setting is spelt where some command takes it.
  ELSEWHERE = { "analysis/imports.rb" => %w[--baseline],
                "report/proposal.rb" => %w[--variant] }.freeze
  # A resumed run takes none.
  NOT_TAKEN = "takes no --fleet"

  test "no text of all procedures' reports has an option that some of them lack" do
    found = said.reject { |path, options| (options - shared - ELSEWHERE[path].to_a).empty? }

    assert_empty(found.transform_values { |options| options - shared })
  end

  # { path => options in its texts }
  def said
    folder = File.join(Mohs.root, "lib/mohs")
    paths = SAID.flat_map { |room| Dir.glob("#{room}{.rb,/**/*.rb}", base: folder) }
    paths.to_h { |path| [path, options(File.readlines(File.join(folder, path)))] }
  end

  def options(lines)
    texts = lines.grep_v(/\A\s*#/).map { |line| line.gsub(OTHERS, "").sub(NOT_TAKEN, "") }
    words = texts.grep(/["'`]|typed/).flat_map { |line| line.scan(OPTION) }
    words.map { |one| one[/\Atyped\((\w+):/, 1]&.then { |key| typed(key) } || one }.uniq
  end

  def typed(key) = Mohs::Report::Proposal.typed(key.to_sym => 1).split.first

  def shared
    @shared ||= ALIKE.map { |name| Mohs::CLI.described(name, context).known_options }
                     .inject(:&) + OF_STREAMS
  end

  def context = Mohs::CLI::Context.new(env: {}, dir: "/", servers: Mohs::Servers)

  def literal?(path)
    File.foreach(path).any? { |line| line.match?(COMMAND) && !line.match?(/\A\s*#/) }
  end
end
