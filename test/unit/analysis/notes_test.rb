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

  private

  def call(*notes)
    Mohs::Analysis::Notes.call(notes.map { |each| Mohs::Store::Trial.new(notes: each) })
  end
end
