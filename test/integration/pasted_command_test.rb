# frozen_string_literal: true

require "test_helper"
require "open3"

# A command that mohs proposes, pasted into a real shell.
class PastedCommandTest < Mohs::TestCase
  test "a command that is broken is the same one to a shell" do
    command = Mohs::Report::Proposal.to("compare", "3.4.5 --yjit, A='x'", "b $HOME `id`",
                                        header: "a: \\b")
                                        .with_secret("API_KEY")
    [20, 30, 40, 60, 200].each do |width|
      text = Mohs::Report::Terminal::Style.new(width:).named_command("", "", command)
      read, = Open3.capture2("sh", "-c", text.strip.sub("mohs", "printf '%s\\n'"))

      assert_equal command.words.drop(1), read.lines(chomp: true), text
      assert_equal command.hint, text.delete("\n")[/(?<=# ).*/].gsub(/\s+# /, " "), text
    end
  end
end
