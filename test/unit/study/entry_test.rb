# frozen_string_literal: true

require "test_helper"

class StudyEntryTest < Mohs::TestCase
  def entry(map, **options) = Mohs::Study::Entry.new(map, servers: Mohs::Servers, **options)

  def fault(map, **options, &block)
    assert_raises(Mohs::StudyError) { entry(map, **options).instance_eval(&block) }.message
  end

  test "keys that are not there are nil" do
    assert_equal [nil] * 5, entry({}).then { |one|
      [one.whole(:rounds), one.budget_s, one.warm_up_s, one.cold_start, one.served]
    }
  end

  test "what is there is read" do
    found = entry({ "rounds" => 1, "seed" => 0, "budget" => "2m", "warm_up" => "30s",
                    "cold_start" => "64x1024", "server" => "puma:2x5 unix" })

    assert_equal [1, 0, 120.0, 30.0], [found.whole(:rounds), found.whole(:seed),
                                       found.budget_s, found.warm_up_s]
    assert_equal [Mohs::Study::ColdStart.parse("64x1024"), { server: "puma:2x5", unix: true }],
                 [found.cold_start, found.served]
  end

  test "faults have the way to the key" do
    assert_match(/\Arounds: .*at least 1/, fault({ "rounds" => 0 }) { whole(:rounds) })
    { { "rounds" => -3 } => [proc { whole(:rounds) }, "a/b/rounds: "],
      { "budget" => "soon" } => [proc { budget_s }, "a/b/budget: invalid duration"],
      { "warm_up" => "never" } => [proc { warm_up_s }, "a/b/warm_up: invalid duration"],
      { "cold_start" => 64 } => [proc { cold_start }, 'a/b/cold_start: cold start "64"'],
      { "server" => "pumaa" } => [proc { served }, 'a/b/server: unknown server "pumaa"'],
      { "server" => "puma fast" } => [proc { served }, "a/b/server: puma fast: "],
      { "server" => 3 } => [proc { served }, 'a/b/server: unknown server "3"'],
      { "server" => "" } => [proc { served }, 'a/b/server: unknown server ""'] }
      .each do |map, (read, message)|
        assert_operator fault(map, path: "a/b", &read), :start_with?, message
      end
  end
end
