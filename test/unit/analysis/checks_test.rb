# frozen_string_literal: true

require "test_helper"

class AnalysisChecksTest < Mohs::TestCase
  Checks = Mohs::Analysis::Checks

  def finding(code, severity, **values) = Mohs::Analysis::Finding.new(code:, severity:, values:)

  test "the first fatal finding spoils a trial" do
    found = [finding("trend.slower", :warn), finding("counts.differ", :bad),
             finding("jit.other", :bad)]

    assert_equal "counts.differ", Checks.spoiled(found).code
    assert_nil Checks.spoiled(found.first(1))
  end

  # Severity => what the store and the document say of it.
  { ok: [true, "ok"], unknown: [nil, "ok"], warn: [false, "warn"],
    bad: [false, "invalid"] }.each do |severity, (ok, level)|
    test "#{severity} is kept as #{level}" do
      found = finding("trend.slower", severity, growth: 0.5)
      row = { name: "trend", ok:, level:, code: "trend.slower", values: { growth: 0.5 } }

      assert_equal row, Checks.dump(found)
      assert_equal found, Checks.load(row)
    end

    test "a row from before there were codes, #{severity}, keeps its sentence" do
      row = { name: "trend", ok:, level:, detail: "answers took 100 % longer" }

      assert_equal finding("trend.recorded", severity, detail: "answers took 100 % longer"),
                   Checks.load(row)
    end
  end

  test "a slice counts as measured where it has a block, in checks, stored trials and samples" do
    slices = [nil, 0, 1].map { |block| { block:, sent: 100, good: 100, errors: {} } }
    found = Checks.fetch("errors").new.call({ slices: })

    assert_equal 200, found.values[:sent]
    assert_equal 200, Mohs::Stored.trial({ slices: }).measured_slices.sum(&:sent)
    samples = slices.map { |slice| Mohs::Trial::Sample.new(block: slice[:block]) }
    assert_equal [0, 1], Mohs::Store::Slice.measured(samples).map(&:block)
  end

  test "messages that failed are called so" do
    messages = { sent: 70, unsent: 30 }
    slice = { block: 0, sent: 100, good: 70, errors: { "in_flight_at_end" => 30 },
              streams: { asked: 10, failed: {}, messages: } }
    found = Checks.fetch("errors").new.call({ slices: [slice] })

    assert_equal "30 % of the messages failed: 30 in flight at end",
                 Mohs::Report::Render.call(found)
  end

  test "connections that were not opened are no smaller a share for many good messages" do
    errors = { "refused" => 5 }
    slice = { block: 0, sent: 1005, good: 1000, errors:, streams: { asked: 10, failed: errors } }
    found = Checks.fetch("errors").new.call({ slices: [slice] })

    assert_equal ["errors.failed", true, 0.5, [["refused", 5]]],
                 [found.code, found.fatal?, *found.values.values_at(:share, :errors)]
    assert_equal "50 % of the connections failed: 5 refused", Mohs::Report::Render.call(found)
  end

  test "connections without messages are connections, and those that had no time are called so" do
    errors = { "in_flight_at_end" => 5 }
    slice = { block: 0, sent: 20, good: 15, errors:,
              streams: { asked: 20, failed: errors, messages: nil } }
    found = Checks.fetch("errors").new.call({ slices: [slice] })

    assert_equal "25 % of the connections failed: 5 in flight at end; these were not open when " \
                 "their slice was over: too many for the server, or --slice is too short",
                 Mohs::Report::Render.call(found)
  end

  test "WebSockets that the server dropped have failed, event streams have not" do
    streams = { asked: 10, failed: { "refused" => 1 }, dropped: 4,
                messages: { sent: 1000, unsent: 0 } }
    errors = { "refused" => 1, "dropped" => 4 }
    slice = { block: 0, sent: 1005, good: 1000, errors:, streams: }
    found = Checks.fetch("errors").new.call({ slices: [slice] })
    of_events = { **slice, sent: 10, good: 10, errors: {},
                  streams: { **streams, failed: {}, messages: nil } }

    assert_equal [true, 0.5, errors.to_a],
                 [found.fatal?, *found.values.values_at(:share, :errors)]
    assert_equal "errors.none", Checks.fetch("errors").new.call({ slices: [of_events] }).code
  end

  test "a self-check is one file in the family's folder, and nothing else lists it" do
    files = Dir.children(File.join(Mohs.root, "lib/mohs/analysis/checks"))

    assert_equal (files - ["base.rb"]).map { |file| file.delete_suffix(".rb") }.sort, Checks.names
  end
end
