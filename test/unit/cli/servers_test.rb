# frozen_string_literal: true

require "test_helper"

class CLIServersTest < Mohs::TestCase
  include Mohs::CLIHelper

  Result = Mohs::Verification::Result
  WHY = Mohs::Reason.new(summary: "no thin", remedy: "Not today", code: "absent",
                         values: { day: 1 })

  # Verifies whatever it is asked, but for thin.
  class Verifier
    attr_reader :cache, :tried

    def initialize
      @tried = []
      @cache = self
      @results = {}
    end

    def fetch(server, ruby) = @results[[server.label, ruby.name]]

    def call(server, ruby)
      @tried << [server.label, ruby.name]
      yield "installing for #{ruby.name}: rack 3"
      yield :wait
      state, reason = server.label == "thin" ? ["refused", WHY] : ["verified", nil]
      traits = { keep_alive: Result::Trait.new(seen: true) }
      @results[@tried.last] = Result.new(state:, reason:, traits:, seconds: 61.2, at_ms: 1,
                                         version: "1.0")
    end
  end

  def verified(*argv)
    verifier = Verifier.new
    [mohs("servers", *argv, verification: -> { verifier }), verifier]
  end

  test "servers are shown with what they claim where nothing was tried" do
    output = mohs("servers", "puma")

    assert_equal 0, output.status
    assert_match(/^puma +2\.7\.4 3\.1\.2 3\.4\.5 +yes\? +yes\?/, output.out)
    assert_includes output.out, "4 combinations of"
    refute_includes output.out, "thin"
  end

  test "servers are tried where they may run, and the result is shown" do
    output, verifier = verified("puma", "unicorn", "--verify")

    assert_equal [%w[puma 2.7.4], %w[unicorn 2.7.4], %w[puma 3.1.2], %w[unicorn 3.1.2],
                  %w[puma 3.4.5], %w[unicorn 3.4.5], %w[puma jruby-9.4.14.0]], verifier.tried
    assert_includes output.err, "trying 7 combinations"
    steps = output.err[/^unicorn on 2\.7\.4 \(2 of 7\)\n((?:  .*\n)+)/, 1].lines
    [/installing .* 2\.7\.4: rack 3$/, /waiting/, /verified in 1 min 1 s$/]
      .zip(steps) { |fact, line| assert_match fact, line }
    assert_match(/^unicorn +2\.7\.4 3\.1\.2 3\.4\.5 +yes\? +- +- +yes! /, output.out)
  end

  test "what was refused is a result, in the document too" do
    output, = verified("thin", "--ruby", "3.4", "--verify")
    assert_includes output.out, "Refused when tried:\n  thin on 3.4.5: no thin"
    assert_includes output.err, "  refused: no thin\n"

    json = verified("thin", "puma", "--ruby", "3.4", "--verify", "--json").first.json
    assert_equal [["thin", "refused", "no thin\nNot today"], ["puma", "verified", nil]],
                 json[:servers].map { |one| one.values_at(:name, :state, :reason) }
    assert_equal ["no thin\nNot today", "absent", { day: 1 }],
                 json[:servers].first[:rubies].first.values_at(:reason, :code, :values)
    assert_empty Mohs::JSONContract.new("`servers`").faults(json)
  end

  test "a reason without words gets those of its code" do
    verifier = Verifier.new
    verifier.define_singleton_method(:call) do |server, ruby|
      reason = Mohs::Reason.new(code: "error_status", values: { status: 404, seen: "" })
      @results[[server.label, ruby.name]] =
        Result.new(state: "refused", reason:, traits: {}, at_ms: 1)
    end
    output = mohs("servers", "thin", "--ruby", "3.4", "--verify", verification: -> { verifier })

    assert_includes output.err, "refused: returned 404, an empty body. "
    assert_includes output.out, "thin on 3.4.5: returned 404, an empty body."
  end

  test "nothing is printed beside the result where that is asked for" do
    assert_empty verified("puma", "--ruby", "3.4.5", "--verify", "--quiet").first.err
  end

  test "a server that is none, and a Ruby that is none, are mistakes" do
    assert_match(/unknown server "pumma"\. Did you mean puma/, mohs("servers", "pumma").err)
    assert_match(/no Ruby "9\.9"/, mohs("servers", "--ruby", "9.9").err)
  end
end
