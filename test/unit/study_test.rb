# frozen_string_literal: true

require "test_helper"
require "json"

class StudyTest < Mohs::TestCase
  def study(**changes)
    variant = Mohs::Study::Variant.new(name: "3.4.5", ruby: "3.4.5", server: "puma",
                                       processes: 1, threads: 5,
                                       env: { "MALLOC_ARENA_MAX" => "2" })
    request = Mohs::App::Request.build(path: "/products", headers: { "X-Shop" => "one" })
    Mohs::Study.new(app: "/srv/shop", requests: [request], variants: [variant], baseline: "3.4.5",
                    baseline_reason: ".ruby-version", seed: 7, env: { "A" => "b" },
                    own_config: false, **changes)
  end

  test "it survives JSON, names of variables and headers included" do
    again = Mohs::Study.from_h(JSON.parse(JSON.generate(study.to_h), symbolize_names: true))

    assert_equal study, again
    assert_equal({ "A" => "b" }, again.env)
    assert_equal({ "X-Shop" => "one" }, again.requests.first.headers)
    assert_equal({ "MALLOC_ARENA_MAX" => "2" }, again.variant("3.4.5").env)
  end

  test "it is frozen" do
    assert_predicate study, :frozen?
    assert_predicate study.variants.first, :frozen?
  end

  test "connections are as declared, else no more than the smallest variant has threads" do
    assert_equal 4, study.load_connections
    assert_equal 32, study(connections: 32).load_connections
    small = Mohs::Study::Variant.new(name: "small", processes: 2, threads: 1)
    assert_equal 2, study(variants: study.variants + [small]).load_connections
    fibers = Mohs::Study::Variant.new(name: "fibers", processes: 1, threads: nil)
    assert_equal 4, study(variants: [fibers]).load_connections
  end

  test "two variants are the same thing when only their names differ" do
    one = study.variants.first
    other = Mohs::Study::Variant.new(**one.to_h, name: "other")

    assert one.same_as?(other)
    refute one.same_as?(Mohs::Study::Variant.new(**one.to_h, threads: 6))
  end

  test "engines that compile in the background are slow" do
    engines = %w[ruby jruby truffleruby].map { |engine| Mohs::Study::Variant.new(name: engine, engine:).slow? }

    assert_equal [false, true, true], engines
  end
end
