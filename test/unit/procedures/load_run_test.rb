# frozen_string_literal: true

require "test_helper"

module Mohs
  # The use case without a terminal, a server or a socket: a played driver, and a client that
  # answers from a list.
  class LoadRunTest < TestCase
    SERVER = LoadRun::Server.new(unix: "/run/app.sock", path: "/", owned: false)

    # Answers with a status for each path.
    class Client
      def initialize(statuses)
        @statuses = statuses
      end

      def ask(request, **)
        Http::Reply.new(status: @statuses.fetch(request.path, 200), reason: "", headers: {},
                        body: "hello")
      end
    end

    def setup
      @events = []
      @options = nil
    end

    def run_of(requests: [request("/a")], statuses: {}, on_event: nil, **declared)
      driver = lambda do |**options|
        @options = options
        Drivers::Mock.new(**options)
      end
      LoadRun.new(LoadRun::Declaration.new(server: SERVER, requests:, argv: %w[load x], **declared),
                  driver:, client: Client.new(statuses),
                  on_event: on_event || ->(name, facts) { @events << [name, facts] })
    end

    def names_of(result) = result.answers.map { |answer| answer.request.to_s }

    def request(path, **more) = App::Request.build(path:, **more)

    test "what is learned is sent, and the result tells what was asked for" do
      result = run_of(requests: [request("/a", weight: 2), request("/b")], count: 20,
                      connections: 3, seed: 5, spin: true, source_addresses: %w[127.0.0.2]).call
      target = @options[:targets].first

      assert_equal [20, 20], [result.step.sent, result.recording.size]
      assert_equal [["/a", 2], ["/b", 1]], target.requests.map { |one| [one.path, one.weight] }
      assert_equal [:exact] * 2, target.requests.map { |one| one.check.mode }
      assert_equal ["/run/app.sock", 3, %w[127.0.0.2]],
                   target.to_h.values_at(:unix, :connections, :source_addresses)
      assert_equal [5, 1, true], @options.values_at(:seed, :threads, :spin)
      assert_equal [%w[load x], 20, ["GET /a", "GET /b"]],
                   [result.argv, result.asked[:count], names_of(result)]
    end

    test "the observer hears what is about to be sent, and then the load" do
      run_of(requests: %w[/a /gone].map { |path| request(path, optional: true) },
             statuses: { "/gone" => 404 }, count: 5).call
      names, facts = @events.map(&:first), @events.first.last

      assert_equal %i[begin live], names
      assert_equal ["GET /a"], facts[:requests]
      assert_equal ["left_out", "GET /gone"],
                   [facts[:left_out].code, facts[:left_out].values[:first]]
    end

    test "steps of several rates have a part each" do
      arrivals = [100, 200].map { |rate_per_s| Load::Arrivals.new(kind: :constant, rate_per_s:) }
      result = run_of(arrivals:, duration_s: 0.1).call

      assert_equal [5, 10], result.stages.map { |step, _| step.offered }
      assert_equal 15, result.step.offered
    end

    test "an Interrupt ends it with what was done until then" do
      run = run_of(count: 7, on_event: ->(name, _) { raise Interrupt if name == :live })
      result = run.call

      assert_predicate run, :interrupted?
      assert_equal 7, result.step.sent
      assert_nil result.empty_per_s
    end

    test "what can't be learned is not loaded" do
      error = assert_raises(TrialError) { run_of(statuses: { "/a" => 500 }, count: 5).call }

      assert_equal :refused, error.state
      assert_nil @options
    end

    test "another tool is told whether nobody else may see its headers" do
      [[["Cookie"], true], [[], false]].each do |confidential, secrets|
        requests = [request("/a", headers: { "Cookie" => "a" }, confidential:)]
        run_of(requests:, count: 1, tool: "wrk").call

        assert_equal ["wrk", secrets], @options.values_at(:name, :secrets)
      end
    end

    test "what is no different without its cookie is found out after the load" do
      seen = []
      client = Client.new({})
      client.define_singleton_method(:ask) do |request, **|
        seen << (request.header("Cookie") ? :with : :without)
        super(request)
      end
      requests = [request("/a", headers: { "Cookie" => "a" })]
      declared = LoadRun::Declaration.new(server: SERVER, requests:, count: 5)
      run = LoadRun.new(declared, driver: Drivers::Mock.method(:new), client:,
                                  on_event: ->(name, _) { seen << name })

      assert_equal App::ResponseLearner::UNREAD, run.call.answers.first.note
      assert_equal %i[with begin live without], seen.chunk_while { |a, b| a == b }.map(&:first)
    end

    test "an error that quotes a secret, as a tool does its command line, is raised without" do
      declared = LoadRun::Declaration.new(server: SERVER, requests: [request("/a?token=s3cr3t")])
      driver = ->(**) { raise EnvironmentError, "wrk: no http://h/a?token=s3cr3t" }
      run = LoadRun.new(declared, driver:, client: Client.new({}))
      error = assert_raises(EnvironmentError) { run.call }

      assert_equal "wrk: no http://h/a?token=[secret]", error.message
    end

    test "a search is of the same target, and tells what it was asked for" do
      limit = Load::Limit.parse("p50 < 100s")
      result = run_of(limit:, duration_s: 10, connections: 2,
                      on_event: ->(name, _) { raise Interrupt if name == :probe }).call

      assert_equal ["undecided", 2, ["GET /a"]],
                   [result.outcome, result.asked[:connections], names_of(result)]
      assert_in_delta 2000, result.capacity_per_s, 10
    end
  end
end
