# frozen_string_literal: true

require "test_helper"

# Real servers of an application whose cost is known by construction: what the readings of them say.
class ExplainTest < Mohs::TestCase
  APP = File.join(Mohs.root, "test/fixtures/apps/costs")

  # One cohort: figures, shares without a test.
  def explain(a, b, *options)
    with_files do |dir|
      command = Mohs::MohsCommand.new(dir)
      compared = command.call("compare", a, b, "--app", APP, "--budget", "1s", "--quiet", "--json",
                              limit_s: 900)
      refute_nil compared.json[:run], compared.err
      return command.call("explain", compared.json[:run], *options, "--json",
                          limit_s: 300).json
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

  PROFILE = %w[--profile --rounds 1 --quiet].freeze

  # The line of the application that costs it, of this kind of time.
  def named_first(document, kind)
    costly = document[:profile][:methods].select { |one| one[:kind] == kind }
                                         .max_by { |one| one[:change] }
    costly.values_at(:path, :line)
  end

  def line(text)
    File.readlines(File.join(APP, "config.ru")).index { |one| one.include?(text) } + 1
  end

  test "a profile names the line that takes time, and a file of it is written" do
    document = explain("COST=none", "COST=line", *PROFILE)

    assert_equal ["config.ru", line('"line" =>')], named_first(document, "cpu")
    assert_equal(2, document[:profile][:files].count { |file| file.end_with?(".speedscope.json") })
  end

  test "a profile of an allocation storm names the line that allocates, and collections" do
    document = explain("COST=none", "COST=objects", *PROFILE)
    parts = document[:profile][:categories].select { |one| one[:kind] == "cpu" }

    assert_equal ["application", "GC"], parts.max_by(2) { |one| one[:change] }
                                             .map { |one| one[:name] }.sort.reverse
    assert_includes document[:profile][:methods].map { |one| one.values_at(:path, :line) },
                    ["config.ru", line('"objects" =>')]
  end

  test "a profile names the lock that requests wait for" do
    document = explain("COST=sleep", "COST=lock", *PROFILE)

    assert_equal ["config.ru", line('"lock" =>')], named_first(document, "wait")
  end
end
