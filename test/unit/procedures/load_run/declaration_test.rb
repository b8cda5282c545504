# frozen_string_literal: true

require "test_helper"

module Mohs
  class LoadRunDeclarationTest < TestCase
    SERVER = LoadRun::Server.new(host: "127.0.0.1", port: 1, path: "/", owned: false)

    def declared(**changes) = LoadRun::Declaration.new(server: SERVER, **changes)

    def parts(step) = step.to_h.values_at(:count, :duration_ns, :arrivals)

    def at(*rates) = rates.map { |rate_per_s| Load::Arrivals.new(kind: :constant, rate_per_s:) }

    test "a closed loop is one step" do
      steps = declared(count: 40, duration_s: 10).steps

      assert_equal [[40, nil, nil]], steps.map { |step| parts(step) }
      assert_equal [nil], declared(duration_s: 1).asked[:arrivals]
    end

    test "the steps of an open loop share the time" do
      steps = declared(duration_s: 6, arrivals: at(100, 200, 300)).steps

      assert_equal [2_000_000_000] * 3, steps.map(&:duration_ns)
      assert_equal [100, 200, 300], steps.map { |step| step.arrivals.rate_per_s }
    end

    test "its secrets are those of its requests, or of its scenario" do
      headers = { "Cookie" => "b" }
      requests = [App::Request.build(path: "/?token=a", headers:, body: "pwd=c")]
      scenario = Struct.new(:secrets).new(%w[d e])

      assert_equal %w[a b c], declared(requests:).secrets.sort
      assert_equal %w[d e], declared(scenario:).secrets
      assert_empty declared.secrets
    end

    test "given times say themselves how many there are" do
      times = Load::Arrivals.new(kind: :times, times: [0, 5])

      assert_equal [2, nil, times], parts(declared(arrivals: [times]).steps.first)
    end

    test "what a result keeps of it has no gaps" do
      assert_equal({ connections: 3, keep_alive: :on, threads: 1, seed: 0, duration_s: 2,
                     arrivals: [{ kind: "constant", rate_per_s: 5, to_per_s: nil, burst: 1 }] },
                   declared(connections: 3, duration_s: 2, arrivals: at(5)).asked)
    end
  end
end
