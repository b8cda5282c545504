# frozen_string_literal: true

require "test_helper"

# What moved between two profiles, where the truth is known because they are made up.
class ProfileDifferenceTest < Mohs::TestCase
  SAME = { application: 30.0, query: 40.0, gc: 10.0 }.freeze

  def difference(a: { "cpu" => SAME }, b: { "cpu" => SAME }, level: ->(count) { 0.05 / count },
                 **options)
    made = Mohs::ProfiledTrials.new(a:, b:, **options)
    category = Mohs::Profile::Category.new(servers: %w[puma], app: "/home/someone/shop")
    Mohs::Analysis::ProfileDifference.new(made.pairs, profiles: made.profiles, level:, category:)
  end

  def moved(parts) = parts.select(&:significant).map(&:name)

  test "a slow line is named first, with its place and what it costs a request" do
    one = difference(b: { "cpu" => { **SAME, application: 90.0 } })

    assert_equal ["application"], moved(one.categories)
    first = one.methods.first
    assert_equal ["price", "/home/someone/shop/lib/price.rb", 12, "application", "cpu"],
                 first.to_h.values_at(:name, :path, :line, :category, :kind)
    assert_in_delta 60, first.change, 2
    assert_operator first.low, :<, 60
    assert_operator first.high, :>, 60
  end

  test "an allocation storm is garbage collection" do
    one = difference(b: { "cpu" => { **SAME, gc: 70.0, application: 32.0 } })

    assert_includes moved(one.categories), "GC"
    assert_equal "(garbage collection)", one.methods.first.name
  end

  test "a lock is waiting, in the application's line; threads that wait for a request are not" do
    one = difference(a: { "cpu" => SAME, "wait" => { lock: 1.0 } },
                     b: { "cpu" => SAME, "wait" => { lock: 400.0 } },
                     attested: { engine: "jruby", workers: 1 })

    assert_equal [%w[wait application]], one.categories.select(&:significant)
                                            .map { |part| [part.kind, part.category] }
    first = one.methods.first
    assert_equal ["wait", "synchronize", 7], first.to_h.values_at(:kind, :name, :line)
    assert_in_delta 399, first.change, 10
    assert_equal ["application"], one.categories.select { |part| part.kind == "wait" }.map(&:name)
  end

  test "under a GVL waits have a place and no mark, since a busier process seems to wait less" do
    one = difference(a: { "cpu" => SAME, "wait" => { lock: 1.0 } },
                     b: { "cpu" => SAME, "wait" => { lock: 400.0 } })

    waits = one.methods.select { |part| part.kind == "wait" }
    assert_equal [["synchronize", 7, false, nil, nil]],
                 waits.map { |part| part.to_h.values_at(:name, :line, :significant, :low, :high) }
    assert_operator waits.first.change, :>, 390
  end

  test "categories add up to the CPU time of a request, however few samples there were" do
    one = difference(noise: 0.0)

    cpu = one.categories.select { |part| part.kind == "cpu" }
    assert_in_delta 80, cpu.sum(&:a), 0.1
    assert_equal %w[ActiveRecord application GC], cpu.map(&:name)
  end

  test "what differs no further than boots do has not moved" do
    assert_empty moved(difference(noise: 0.05).methods)
  end

  test "a mark is at the level of so many tests, as repeated looks have it" do
    slow = { "cpu" => { **SAME, application: 90.0 } }
    assert_empty moved(difference(b: slow, level: { 1 => 0.05, 2 => 0.05, 3 => 0.0 }.to_proc)
                         .categories)
  end

  WAITING = { "cpu" => SAME, "wait" => { lock: 400.0 } }.freeze

  test "waits of a server that computes most of the time are not told from waits for the GVL" do
    one = difference(b: WAITING, wall_us: 150)
    refute_predicate one, :waits?
    assert_empty([*one.categories, *one.methods].select { |part| part.kind == "wait" })
    assert_equal 3, one.categories.size
    assert_predicate difference(b: WAITING, wall_us: 170), :waits?
  end

  test "each process has a GVL of its own, and other engines have none" do
    two = { engine: "ruby", workers: 2 }
    assert_predicate difference(b: WAITING, wall_us: 100, attested: two), :waits?
    refute_predicate difference(b: WAITING, wall_us: 70, attested: two), :waits?
    jruby = { engine: "jruby", workers: 1 }
    assert_predicate difference(b: WAITING, wall_us: 50, attested: jruby), :waits?
  end

  test "what the sampler took is nobody's" do
    cpu = difference(noise: 0.0, sampler: 40).categories
    assert_in_delta 80, cpu.sum(&:a), 0.1
  end

  test "fewer than three cohorts have differences, and no test" do
    one = difference(b: { "cpu" => { **SAME, application: 90.0 } }, cohorts: 2)

    assert_empty moved(one.methods)
    assert_equal [nil, nil], one.methods.first.to_h.values_at(:low, :high)
    assert_in_delta 60, one.methods.first.change, 3
  end

  test "a part that one side lacks took nothing there" do
    one = difference(a: { "cpu" => { application: 30.0 } }, b: { "cpu" => SAME })

    query = one.categories.find { |part| part.name == "ActiveRecord" }
    assert_equal 0.0, query.a
    assert_in_delta 40, query.b, 3
  end
end
