# frozen_string_literal: true

require "test_helper"

class AnalysisNotesTest < Mohs::TestCase
  test "a finding is restored from its row, each once" do
    stored = { code: "left_out", severity: "info", subject: nil, values: { requests: 1 } }
    secret = { code: "temporary_secret", severity: "info", subject: nil, values: {} }
    found = call([secret, stored], [secret, stored])

    assert_equal [["temporary_secret", {}], ["left_out", { requests: 1 }]],
                 found.map { |finding| [finding.code, finding.values] }
  end

  test "a server that logs a few lines in all is no chatter" do
    loud, quiet = [20, 19].map do |bytes|
      call([{ code: "chatter", values: { variant: "a", bytes_per_request: bytes } }])
    end

    assert_equal [["chatter"], []], [loud.map(&:code), quiet]
  end

  test "a variant that logs has one row, with the median of its boots" do
    sizes = { "a" => [918, 930, 919], "b" => [500] }

    assert_equal [["chatter", { variant: "a", bytes_per_request: 919 }],
                  ["chatter", { variant: "b", bytes_per_request: 500 }]], logged(sizes)
  end

  test "variants that all log about the same have one row together, others one each" do
    assert_equal [["chatter_alike", { variants: 2, bytes_per_request: 918 }]],
                 logged("a" => [918, 918], "b" => [919, 917])
    assert_equal %w[chatter chatter], logged("a" => [900], "b" => [950]).map(&:first)
    assert_equal %w[chatter chatter], logged("a" => [900], "b" => [900], "c" => []).map(&:first)
    assert_equal %w[chatter], logged("a" => [900, 901]).map(&:first)
  end

  # A tuning has a dozen.
  test "many variants that log have one row" do
    sizes = { "a" => [839], "b" => [2207], "c" => [842], "d" => [849] }

    assert_equal [["chatter_various", { variants: 4, least: 839, most: 2207, loudest: "b" }]],
                 logged(sizes)
    assert_equal %w[chatter] * 3, logged(sizes.except("d")).map(&:first)
  end

  test "of pools that are too small by different numbers of threads the smallest is named" do
    pools = [8, 16, 8].map do |threads|
      { code: "pool_too_small", values: { size: 5, source: "config/database.yml", threads: } }
    end

    assert_equal [16], call(pools).map { |finding| finding.values[:threads] }
  end

  private

  # bytes: { variant => those of each boot }; a variant without any logs nothing.
  def logged(bytes)
    trials = bytes.flat_map do |variant, sizes|
      notes = sizes.map do |size|
        [{ code: "chatter", values: { variant:, bytes_per_request: size } }]
      end
      notes << [] if notes.empty?
      notes.map { |each| Mohs::Store::Trial.new(variant:, notes: each) }
    end
    Mohs::Analysis::Notes.call(trials).map { |finding| [finding.code, finding.values] }
  end

  def call(*notes)
    Mohs::Analysis::Notes.call(notes.map { |each| Mohs::Store::Trial.new(notes: each) })
  end
end
