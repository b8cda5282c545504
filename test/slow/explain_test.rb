# frozen_string_literal: true

require "test_helper"

# Real servers of an application whose cost is known by construction: what the readings of them say.
class ExplainTest < Mohs::TestCase
  APP = File.join(Mohs.root, "test/fixtures/apps/costs")

  # One cohort: figures, shares without a test.
  def explain(a, b)
    with_files do |dir|
      command = Mohs::MohsCommand.new(dir)
      compared = command.call("compare", a, b, "--app", APP, "--budget", "1s", "--quiet", "--json",
                              limit_s: 900)
      refute_nil compared.json[:run], compared.err
      return command.call("explain", compared.json[:run], "--json").json
    end
  end

  def cause(document, name) = document[:causes].find { |one| one[:name] == name }

  test "an allocation storm is objects allocated, and garbage collection" do
    document = explain("COST=line", "COST=objects")

    assert_operator cause(document, "allocated_objects")[:change], :>, 4900
    assert_operator cause(document, "gc_time_ns")[:change], :>, 0
  end

  test "calls of the kernel are time in the kernel" do
    document = explain("COST=line", "COST=calls")

    assert_operator cause(document, "system_ns")[:ratio], :>, 1
    assert_operator cause(document, "code_ns")[:ratio], :<, 1
  end

  test "a lock is time off the CPU" do
    document = explain("COST=sleep", "COST=lock")

    assert_operator cause(document, "waiting_ns")[:change], :>, 0
    assert_operator cause(document, "waiting_ns")[:change], :>, document[:cpu][:change]
  end
end
