# frozen_string_literal: true

require "test_helper"
require_relative "../examples/check_examples"
require "json"

# What every self-check has in common, whatever it looks at.
class ChecksContractTest < Mohs::TestCase
  include Mohs::Screens

  Checks = Mohs::Analysis::Checks
  Render = Mohs::Report::Render
  EXAMPLES = Mohs::CheckExamples::ALL

  # Codes of those that a check finds itself, not its base.
  def self.codes(name) = Checks.fetch(name)::WORDS.keys.map { |kind| "#{name}.#{kind}" }

  def stored(data) = JSON.parse(JSON.generate(data), symbolize_names: true)

  # Facts as data; of slices the store's door types the classes of errors.
  def of_store(facts)
    slices = facts[:slices].map { |slice| { **stored(slice), **slice.slice(:errors) } }
    { **stored(facts), slices: }
  end

  def find(name, facts) = Checks.fetch(name).new.call(facts)

  Checks.names.each do |name|
    test "#{name} can't tell without facts, and says which are missing" do
      found = find(name, {})

      assert_equal ["#{name}.missing", :unknown], [found.code, found.severity]
      assert_includes Render.call(found), found.values[:keys].first
    end

    # Of a probe of a rate, not of a trial.
    (codes(name) - ["send_lag.late_for_limit"]).each do |code|
      test "#{code} is found by its example, before the store and after it" do
        facts = EXAMPLES.fetch(code)
        found = find(name, facts)

        assert_equal code, found.code
        assert_equal found, find(name, of_store(facts))
      end

      test "#{code} comes back from the store as it was, and in the same words" do
        found = find(name, EXAMPLES.fetch(code))
        back = Checks.load(stored(Checks.dump(found)))

        assert_equal [found.code, found.severity], [back.code, back.severity]
        assert_equal Render.call(found), Render.call(back)
      end
    end
  end

  test "what a check no longer finds is shown by its code" do
    back = Checks.load({ name: "jit", ok: false, level: "warn", code: "jit.rails", values: {} })

    assert_equal [:warn, "jit.rails"], [back.severity, Render.call(back)]
  end

  test "every finding in words" do
    text = EXAMPLES.map do |code, facts|
      found = find(code.split(".").first, facts)
      assert_equal code, found.code
      "#{found.severity.to_s.ljust(8)} #{code}: #{Render.call(found)}\n"
    end

    assert_golden("checks", text.join)
  end

  test "every template asks for formats that there are" do
    templates = Checks.names.flat_map { |name| Checks.words(name).values }.grep(String)
    formats = templates.flat_map { |text| text.scan(Render::FIELD).filter_map(&:last) }

    assert_empty formats.uniq - Mohs::Report::Numbers::FORMATS.keys
  end

  test "a trial's checks are all of them, in order" do
    found = Checks.call(Mohs::CheckExamples::FACTS)

    assert_equal Checks.names, found.map(&:member)
    assert_nil Checks.spoiled(found)
  end
end
