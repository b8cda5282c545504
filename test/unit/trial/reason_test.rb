# frozen_string_literal: true

require "test_helper"

class ReasonTest < Mohs::TestCase
  Reason = Mohs::Trial::Reason
  Step = Struct.new(:errors)
  LOG = "config.ru:1:in `x': no luck (ArgumentError)\n"

  test "a log that is known explains it, another is quoted, but not of a server that lives" do
    known = Reason.unbooted("it ended", log: "cannot load such file -- nokogiri (LoadError)\n",
                                        alive: true)

    assert_match(/\Ait ended\. [A-Z].*nokogiri/, known)
    assert_equal "it ended: no luck (ArgumentError)",
                 Reason.unbooted("it ended", log: LOG, alive: false)
    assert_equal "no answer", Reason.unbooted("no answer", log: LOG, alive: true)
  end

  test "errors of several steps are told together" do
    steps = [{ "timeout" => 2 }, {}, { "timeout" => 1, "wrong_body" => 3 }].map { |e| Step.new(e) }

    assert_equal "no correct responses any more: 3 timeout, 3 wrong body", Reason.unanswered(steps)
    assert_equal "no correct responses any more: no response", Reason.unanswered([Step.new({})])
  end
end
