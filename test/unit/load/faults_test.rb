# frozen_string_literal: true

require "test_helper"

class FaultsTest < Mohs::TestCase
  def faults(errors, sent: 1000, asked: 4)
    Mohs::Load::StepResult.new(sent:, good: sent - errors.values.sum, errors:,
                               connections: { asked: }).faults
  end

  test "a connection that a server closed as a request was sent is no fault, once for each" do
    assert_empty faults({ "reset_between_requests" => 4 }, sent: 20)
    assert_empty faults({ "reset_between_requests" => 6, "closed_between_requests" => 4 })
    assert_equal({ "timeout" => 1 }, faults({ "timeout" => 1, "reset_between_requests" => 2 }))
  end

  test "a server that ends every other request within a round trip is at fault" do
    errors = { "reset_between_requests" => 500 }

    assert_equal errors, faults(errors)
  end
end
