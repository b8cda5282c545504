# frozen_string_literal: true

require "test_helper"

class AnalysisNotesTest < Mohs::TestCase
  test "a finding is restored from its row, a text of an older run stays one, each once" do
    stored = { code: "left_out", severity: "info", subject: nil, values: { requests: 1 } }
    found = call(["a text", stored], ["a text", stored])

    assert_equal [["note_recorded", { text: "a text" }], ["left_out", { requests: 1 }]],
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
