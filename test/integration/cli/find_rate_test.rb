# frozen_string_literal: true

require "test_helper"

# `mohs load --find-rate` in process, with the real driver.
class CLIFindRateTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Served

  test "the highest rate under a limit is searched, told and in the document" do
    served(->(_) { sleep(0.005) && OK }) do |port|
      json = load("127.0.0.1:#{port}", "--find-rate", "p50 < 400ms", "-d", "10s", "-c", "1",
                  "--json").then do |output|
        assert_includes [0, 1], output.status # whether the machine has the time or not
        assert_match(/ · .*rate .*p50 < 400 ms, 1 connection, 10 s$/, output.err)
        assert_match(%r{^ +\d+\.\d s  [\d .]+ requests/s: p50 .* ms, \w.*; p50 < 400 ms up to },
                     output.err)
        output.json
      end
      assert_empty Mohs::JSONContract.new("`load --find-rate`").faults(json)
      assert_operator json[:seconds], :<, 25
      assert_operator json[:probes].size, :>=, 2
      assert_equal({ figure: "p50", below_ms: 400.0 }, json[:limit])
      alone = Mohs::Process::CpuSet.available.size < 2
      assert_equal json[:rate_per_s].nil? || alone, json[:headroom].nil?
    end
  end

  test "Ctrl-C ends a search with what is known" do
    served do |port|
      output = load("127.0.0.1:#{port}", "--find-rate", "p99 < 1s", err: Impatient.new)
      assert_equal 130, output.status
      title, answer = output.out.lines.first(2).map(&:chomp)
      assert_equal "127.0.0.1:#{port} · GET / · 10 connections", title
      assert_match(/no time .*probe/, answer)
    end
  end

  test "a search that can't be is refused" do
    { %w[-n 5] => /--find-rate .*\(-d\), not .*requests/,
      %w[-d 3s] => /--find-rate .*10 s .*-d/,
      %w[--driver wrk] => /--find-rate .*--driver/,
      %w[--rate 5] => /--rate: --find-rate/ }.each do |options, message|
      output = load("127.0.0.1:1", "--find-rate", "p99 < 5ms", *options)
      assert_equal 2, output.status
      assert_match(/\Amohs: #{message}/, output.err)
    end
  end
end
