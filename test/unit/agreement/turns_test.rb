# frozen_string_literal: true

require "test_helper"
require_relative "../../../benchmark/agreement/turns"

class AgreementTurnsTest < Mohs::TestCase
  Sample = Mohs::Trial::Sample
  Served = Struct.new(:name, :target, :samples, :warm_up)
  WarmUp = Struct.new(:rate)

  def served(name, headers: {}, rate: 500)
    request = Mohs::Load::Request.new(path: "/posts", headers:)
    target = Mohs::Load::Target.new(name:, host: "127.0.0.1", port: 9292, connections: 4,
                                    requests: [request])
    Served.new(name, target, [], WarmUp.new(rate))
  end

  def sample(block, good) = Sample.new(block:, result: { good:, span_ns: 500_000_000 })

  # Commands of wrk and mohs, with the rates that they name.
  def turns(rates)
    typed = []
    rate = ->(argv) { rates.fetch(typed.push(argv).last.first) }
    row = Mohs::AgreementRow
    row.stub(:capture, ->(*argv) { "Requests/sec:   #{rate.call(argv)}\n" }) do
      row.stub(:mohs, ->(*argv) { { "rate_per_s" => rate.call(argv) } }) do
        yield Mohs::AgreementTurns.new
      end
    end
    typed
  end

  test "each server has a turn of each tool beside a block, and the rate of the block's slices" do
    one, other = served("a"), served("b")
    rates, blocks = nil, 0
    turns("wrk" => 90.5, "load" => 91.0) do |turns|
      turns.around(2, [one, other]) do
        blocks += 1
        one.samples.push(sample(1, 7), sample(2, 40), sample(2, 50))
        other.samples.push(sample(nil, 9), sample(2, 20))
      end
      one.samples.last.result = { good: 60, span_ns: 500_000_000 } # computed later
      rates = turns.rates
    end

    assert_equal 1, blocks
    assert_equal({ "a" => { wrk: [90.5], load: [91.0], run: [100.0] },
                   "b" => { wrk: [90.5], load: [91.0], run: [40.0] } }, rates)
  end

  test "both tools ask for the same page, with its headers and as many connections" do
    typed = turns("wrk" => 1, "load" => 1) do |turns|
      turns.around(0, [served("a", headers: { "Accept" => "text/html" })]) { nil }
    end
    wrk, load = typed.sort_by(&:first).reverse

    assert_equal %w[wrk -t1 -c4 -d3s --timeout 60s -H], wrk.first(7)
    assert_equal ["Accept: text/html", "http://127.0.0.1:9292/posts"], wrk.drop(7)
    assert_equal ["load", "http://127.0.0.1:9292/posts", "-c", "4", "-d", "3s", "--header",
                  "Accept: text/html"], load
  end

  test "a slow server has longer turns" do
    typed = turns("wrk" => 1, "load" => 1) do |turns|
      turns.around(0, [served("a", rate: 55.0)]) { nil }
    end

    assert_equal %w[-d10s 10s], typed.sort_by(&:first).reverse.map { |argv| argv.grep(/10s/).first }
  end
end
