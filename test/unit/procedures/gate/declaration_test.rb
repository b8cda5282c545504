# frozen_string_literal: true

require "test_helper"

module Mohs
  # What the study file and the command line declare for a gate together.
  class GateDeclarationTest < TestCase
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-gate"

    def declaration(given = {}, **file) = Gate::Declaration.new(given, dir: "/here", file:)

    def request(path) = App::Request.build(path:)

    def page(path, *limits, **name)
      Gate::Page.new(request: request(path), limits: limits(*limits), **name)
    end

    def limits(*texts) = texts.map { |text| Compare::Condition.parse(text) }

    def pages(declaration, *limits)
      found = declaration.pages(limits(*limits)) { [request("/")] }
      found.to_h { |one| [one.name, one.limits.map(&:to_s)] }
    end

    test "both revisions are measured with what the file says of them, and the command line wins" do
      file = { app: "/there", env: { "A" => "1", "B" => "1" }, seed: 3, rounds: 9, requests: [1] }
      given = { env: { "B" => "2" }, seed: 4, requests: [2] }

      assert_equal({ app: "/there", env: { "A" => "1", "B" => "2" }, seed: 4 },
                   declaration(given, **file).shared)
      assert_equal({ app: "/here", connections: 8 }, declaration({ connections: 8 }).shared)
    end

    test "pages are those that were typed, else those of the gates, of the file, of the app" do
      gates, requests = [page("/g")], [request("/r")]
      found = [[{ requests: [request("/t")] }, { gates:, requests: }], [{}, { gates:, requests: }],
               [{}, { requests: }], [{}, {}]].map do |given, file|
        pages(declaration(given, **file)).keys
      end

      assert_equal [["GET /t"], ["GET /g"], ["GET /r"], ["GET /"]], found
    end

    test "limits are those that were typed, else the page's own, else the usual ones, each once" do
      own = declaration({}, gates: [page("/a", "p50 < 3%"), page("/b")])

      assert_equal({ "GET /a" => ["p50 < +3%"], "GET /b" => ["cpu < +2%", "memory < +5%"] },
                   pages(own))
      assert_equal({ "GET /a" => ["p99 < +9%"], "GET /b" => ["p99 < +9%"] },
                   pages(own, "p99 < 9%", "p99 < +9%"))
    end

    test "two pages of one name are a mistake" do
      twice = declaration({}, gates: [page("/a"), page("/b", name: "GET /a")])
      error = assert_raises(UsageError) { pages(twice) }

      assert_said(error.message)
    end
  end
end
