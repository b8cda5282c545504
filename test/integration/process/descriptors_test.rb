# frozen_string_literal: true

require "test_helper"

module Mohs
  # Limits are changed in processes of their own: one that is lowered does not come back.
  class DescriptorsTest < TestCase
    include LoadHelper

    LIMITED = <<~RUBY
      require "mohs"
      soft, hard, count = ARGV.map { |number| Integer(number) }
      Process.setrlimit(Process::RLIMIT_NOFILE, soft, hard)
      begin
        Mohs::Process::Descriptors.make_room(count, what: "these")
        opened = Array.new(count) { File.open("/dev/null") }.size
      rescue Mohs::EnvironmentError => error
        puts error.message
      end
      puts opened, Process.getrlimit(Process::RLIMIT_NOFILE)
    RUBY

    def limited(*numbers) = in_child(LIMITED, *numbers).lines(chomp: true)

    test "a soft limit in the way is raised, as far as needed" do
      opened, soft, hard = limited(64, 900, 400)

      assert_equal %w[400 900], [opened, hard]
      assert_includes 432..500, soft.to_i
    end

    test "one that is not in the way stays" do
      assert_equal %w[20 200 900], limited(200, 900, 20)
    end

    test "a hard limit in the way is told, with what to do" do
      message, _, *limits = limited(64, 128, 400)

      assert_match(/\Athese need 4\d\d open files, .* may have 128\. .* ulimit -Hn 4\d\d/,
                   message)
      assert_equal %w[64 128], limits
    end
  end
end
