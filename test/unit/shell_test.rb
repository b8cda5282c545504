# frozen_string_literal: true

require "test_helper"

class ReportShellTest < Mohs::TestCase
  test "a word can be pasted into a shell, which runs nothing in it" do
    quoted = Mohs::Shell.method(:quoted)
    { "3.4.5 --yjit" => "\"3.4.5 --yjit\"", "main~5" => "main~5", "~/x" => "\"~/x\"",
      "p99 < 5ms" => "\"p99 < 5ms\"", "é" => "é", "" => "\"\"", "{a,b}" => "\"{a,b}\"",
      "a $(id)" => "'a $(id)'", "`id`" => "'`id`'", "x!1" => "'x!1'", "a\\" => "'a\\'",
      "it's" => "\"it's\"", "'$x\"" => "''\\''$x\"'" }.each do |word, written|
      assert_equal written, quoted.call(word)
      assert_equal [word], Shellwords.split(written)
    end
  end
end
