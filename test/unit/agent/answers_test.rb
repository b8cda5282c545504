# frozen_string_literal: true

require "test_helper"

module Mohs
  class AgentAnswersTest < TestCase
    def fit?(order, answer) = Agent::Answers.fit?(answer, Agent::Answers::BY_ORDER.fetch(order))

    test "results are figures, of each target or of none" do
      fact = { sent: 1, cpu_ns: nil, gone: false, errors: [0, 1], lag_ns: { p50: 1.5 } }
      run = { results: [fact, nil], lost: 0, steal_share: 0.01 }

      assert fit?("run", run)
      assert fit?("run", run.except(:steal_share))
      [nil, 5, {}, { **run, results: nil }, { **run, results: [5] }, { **run, results: [[]] },
       { **run, results: [{ sent: "1" }] }, { **run, results: [{ errors: [0, "1"] }] },
       { **run, results: [{ lag_ns: { p50: "1" } }] }, { **run, lost: 0.5 },
       { **run, steal_share: "x" }].each do |answer|
        refute fit?("run", answer), answer
      end
    end

    test "shares are numbers, and a response is none or a Hash" do
      [nil, 0, 0.5, 1].each { |share| assert fit?("foreign_load", { foreign_cpu_share: share }) }
      ["x", true, []].each { |share| refute fit?("foreign_load", { foreign_cpu_share: share }) }
      [nil, {}].each { |one| assert fit?("failed_response", { failed_response: one }) }
      refute fit?("failed_response", { failed_response: "x" })
    end
  end
end
