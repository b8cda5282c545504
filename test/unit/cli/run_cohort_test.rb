# frozen_string_literal: true

require "test_helper"

class CLIRunCohortTest < Mohs::TestCase
  include Mohs::CLIHelper

  # Measures nothing; prints as an application's library would.
  RUNNER = Class.new do
    def try(cohort_id)
      puts "a line of some library"
      cohort_id == 3 ? "done" : "over"
    end
  end.new

  STORE = Struct.new(:pack).new

  # What the command prints to stdout and to stderr, asked on stdin.
  def asked(dir, input)
    before = [$stdin, $stdout, $stderr]
    paths = %w[out err].map { |name| File.join(dir, name) }
    $stdin = StringIO.new(input)
    $stdout, $stderr = paths.map { |path| File.open(path, "w") }
    Mohs::Fleet::CohortRunner.stub(:with, ->(**, &block) { block.call(RUNNER) }) do
      @status = mohs("run-cohort", "-", store: -> { STORE }, env: { "HOME" => dir }).status
    end
    [$stdout, $stderr].each(&:flush)
    paths.map { |path| File.read(path) }
  ensure
    [$stdout, $stderr].each { |io| io.close unless before.include?(io) }
    $stdin, $stdout, $stderr = before
  end

  test "stdout has an answer for each id and nothing else" do
    with_files do |dir|
      assert_equal ["3 done\n4 over\n", "a line of some library\n" * 2], asked(dir, "3\n4\n")
      assert_equal 0, @status
    end
  end
end
