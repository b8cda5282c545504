# frozen_string_literal: true

require "test_helper"

# What a procedure's command would do is known to the procedure and the command line; others
# propose it as a Report::Proposal, which keeps what was typed.
class LiteralCommandsTest < Mohs::TestCase
  OWN = %r{\A(?:procedures|cli)/}
  COMMAND = /\bmohs (?:run|compare|tune|gate|bisect|track|repro|load)\b(?!-)/

  # They say what a command does, and propose none to type.
  FACTS = %w[app/request.rb exporters/recording_file.rb].freeze

  test "no text outside the procedures and the command line has one of their commands" do
    folder = File.join(Mohs.root, "lib/mohs")
    paths = Dir.glob("**/*.rb", base: folder).grep_v(OWN)

    assert_equal FACTS, paths.sort.select { |path| literal?(File.join(folder, path)) }
  end

  def literal?(path)
    File.foreach(path).any? { |line| line.match?(COMMAND) && !line.match?(/\A\s*#/) }
  end
end
