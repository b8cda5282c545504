# frozen_string_literal: true

require "test_helper"

# A tuning as its user sees it, on servers that do as they are told.
class TuneTest < Mohs::TestCase
  include Mohs::Leftovers

  APP = { "config.ru" => "run ->(_) { [200, {}, [\"Hello\"]] }\n" }.freeze
  ARGUMENTS = ["tune", "--limit", "p90 < 500ms", "--variant", "#{RUBY_VERSION}, mock", "--settings",
               "1x1,1x2", "--budget", "25s", "--seed", "3"].freeze

  test "it races, recommends by what the budget is enough for, and can be shown again" do
    with_files(APP) do |dir|
      mohs = Mohs::MohsCommand.new(dir)
      result = mohs.call(*ARGUMENTS, "--json")
      document = result.json

      assert_equal [0, "finished", "tune"],
                   [result.status.exitstatus, *document.values_at(:state, :command)], result.err
      contract = Mohs::JSONContract.new("In every document", "`run`", "`tune`")
      assert_empty contract.faults({ **document, rows: [] })
      assert_searched document
      assert_equal document, mohs.call("show", document[:run], "--json").json
      assert_empty leftovers(dir, 5)
    end
  end

  slow_test "one that is stopped goes on where it was" do
    with_files(APP) do |dir|
      mohs = Mohs::MohsCommand.new(dir)
      pid = mohs.start(*ARGUMENTS)
      sleep 0.1 until mohs.output.include?("round 2") || ended?(pid)
      ::Process.kill("INT", pid)
      stopped = mohs.finish(60)
      key = stopped.out[/mohs resume (\w{4})/, 1]

      assert_equal 130, stopped.status.exitstatus, stopped.err
      resumed = mohs.call("resume", key, "--json").json
      assert_equal "finished", resumed[:state]
      assert_searched resumed
    end
  end

  private

  def ended?(pid) = !File.exist?("/proc/#{pid}/stat")

  def assert_searched(document)
    searched = document[:settings].select { |one| %w[searched modelled].include?(one[:state]) }

    assert_equal %w[1x1 1x2 1x5], document[:settings].map { |one| one[:name] }.sort
    assert_includes searched.map { |one| one[:name] }, "1x5", "the present setting"
    assert(searched.all? { |one| one[:rate_per_s][:value].positive? && one[:memory_bytes] })
    assert_includes searched.map { |one| one[:name] }, document[:recommendation][:name]
    assert_operator document[:race][:rounds], :>=, 1
  end
end
