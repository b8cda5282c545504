# frozen_string_literal: true

require "test_helper"

class EndingTest < Mohs::TestCase
  Ending = Mohs::Trial::Ending
  Step = Struct.new(:errors)
  LOG = "config.ru:1:in `x': no luck (ArgumentError)\n"

  def unbooted(summary, remedy: nil, **state)
    Ending.unbooted(Mohs::Reason.new(summary:, remedy:), **state)
  end

  test "a log that is known explains it, another is quoted, but not of a server that lives" do
    known = unbooted("it ended", log: "cannot load such file -- nokogiri\n", alive: true)

    assert_match(/\Ait ended\. [A-Z].*nokogiri/, known.summary)
    assert_match(/\AAdd its gem/, known.remedy)
    assert_equal ["library_missing", { library: "nokogiri" }], [known.code, known.values]
    assert_equal "it ended: no luck (ArgumentError)",
                 unbooted("it ended", log: LOG, alive: false).summary
    assert_equal "no answer", unbooted("no answer", log: LOG, alive: true).summary
  end

  test "what to try about it stays" do
    assert_equal "try b", unbooted("it ended", remedy: "try b", log: LOG, alive: false).remedy
  end

  test "errors of several steps are summed up" do
    steps = [{ "timeout" => 2 }, {}, { "timeout" => 1, "wrong_body" => 3 }].map { |e| Step.new(e) }

    assert_equal "no correct responses any more: 3 timeout, 3 wrong body", Ending.unanswered(steps)
    assert_equal "no correct responses any more: no response", Ending.unanswered([Step.new({})])
  end
end
