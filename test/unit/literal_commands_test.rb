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

  def literal?(path)
    File.foreach(path).any? { |line| line.match?(COMMAND) && !line.match?(/\A\s*#/) }
  end
end
