# frozen_string_literal: true

require "test_helper"

# The reader of docs/json.md itself: it finds what is wrong with a document.
class JSONContractTest < Mohs::TestCase
  GOOD = { mohs: "0", schema: 1, command: "list",
           runs: [{ run: "a", label: nil, state: "finished", created_ms: 1, finished_ms: nil,
                    app: "/a", variants: ["x"], answer: nil }], more: 0 }.freeze

  def faults(**changes) = Mohs::JSONContract.new("`list`").faults({ **GOOD, **changes })

  def of_run(**changes) = faults(runs: [{ **GOOD[:runs].first, **changes }])

  test "what the page says is without fault" do
    assert_empty faults
    assert_empty faults(runs: [])
  end

  test "a key too many, one too few, and another type are found wherever they are" do
    assert_equal ["extra is not documented"], faults(extra: 1)
    assert_equal ["runs is missing"], Mohs::JSONContract.new("`list`").faults(GOOD.except(:runs))
    assert_equal ["runs[].more is not documented"], of_run(more: 1)
    assert_equal ['runs[].created_ms should be integer, not "1"'], of_run(created_ms: "1")
    assert_equal ["runs[].variants should be array of string, not [nil]"], of_run(variants: [nil])
    assert_equal ["runs[].finished_ms should be integer or null, not 1.5"], of_run(finished_ms: 1.5)
  end

  test "every command has a section" do
    (Mohs::CLI::COMMANDS - %w[resume] + %w[version]).each do |name|
      assert_kind_of Hash, Mohs::JSONContract.table("`#{name}`")
    end
  end
end
