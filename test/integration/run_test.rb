# frozen_string_literal: true

require "test_helper"

# mohs as its user sees it, on a server that does as it is told.
class RunTest < Mohs::TestCase
  APP = { "config.ru" => "run ->(_) { [200, {}, [\"Hello\"]] }\n" }.freeze
  GOOD = "good::#{RUBY_VERSION}, mock"

  test "one variant gives a row with every figure that one boot can give" do
    row = measure("--variant", GOOD).json[:rows].first

    assert_equal ["measured", nil], row.values_at(:state, :reason)
    refute_nil row[:latency_ms][:p50]
    assert_operator row[:throughput_per_s][:value], :>, 0
    assert_nil row[:throughput_per_s][:low], "one boot gives no interval"
    assert_operator row[:boot_ms][:value], :>, 0
    assert_operator row[:cpu_us_per_request][:value], :>, 0
    assert_equal({ total: 0, by_class: {}, share: 0.0, p: nil, differs: false, outcome: nil },
                 row[:errors])
    assert_empty(row[:checks].select { |check| check[:ok] == false && check[:level] == "invalid" })
  end

  test "what is said at the end can be shown again, as text and as data" do
    with_files(APP) do |dir|
      mohs = Mohs::MohsCommand.new(dir)
      first = mohs.call("--variant", GOOD, "--rounds", "1")
      key = first.out[/mohs show (\w+)/, 1]

      assert_equal first.out, mohs.call("show", key).out
      assert_equal key, mohs.call("show", key, "--json").json[:run]
      assert_includes mohs.call("list").out, key
    end
  end

  FAULTS = {
    "500" => ["invalid", /answered 500 instead of 200/],
    "wrong" => ["invalid", /differs at byte 0/],
    "truncated" => ["invalid", /closed.in.body/], "garbage" => ["invalid", /bad.status.line/],
    "silence" => ["invalid", /in.flight|timeout/], "die" => ["failed", /died|exit 3/],
  }.freeze

  # The rows of a good server beside one with each of these faults, by name.
  def beside(faults)
    others = faults.flat_map do |fault|
      ["--variant",
       "#{fault}::#{RUBY_VERSION}, mock, MOHS_MOCK_FAULT=#{fault}, MOHS_MOCK_AFTER=1500"]
    end
    result = measure("--variant", GOOD, *others)
    [result.json[:rows].to_h { |row| [row[:variant], row] }, result.status.exitstatus]
  end

  slow_test "a server with a fault is a row that names it, disturbs no other, and a status of 1" do
    rows, status = beside(FAULTS.keys)

    assert_equal [1, "measured"], [status, rows.dig("good", :state)]
    FAULTS.each do |fault, (state, reason)|
      assert_equal state, rows.dig(fault, :state), fault
      assert_match reason, rows.dig(fault, :reason), fault
    end
  end

  test "a server that refuses to boot is a row that says so, and no failure" do
    rows, status = beside(%w[refuse])

    assert_equal ["measured", nil], rows["good"].values_at(:state, :reason)
    assert_equal [0, "refused"], [status, rows.dig("refuse", :state)]
    assert_match(/exit 1/, rows.dig("refuse", :reason))
  end

  test "a request that every variant refuses is asked for in one round only" do
    variants = %w[a b].flat_map do |name|
      ["--variant", "#{name}::#{RUBY_VERSION}, mock, MOHS_MOCK_FAULT=500, MOHS_MOCK_AFTER=1"]
    end
    with_files(APP) do |dir|
      result = Mohs::MohsCommand.new(dir).call(*variants, "--rounds", "3", "--json")
      document = result.json

      assert_equal [{ planned: 3, done: 1, closer: 4 }, "finished", 1],
                   [document[:rounds], document[:state], result.status.exitstatus]
      report = "all variants failed the same way; remaining rounds skipped"
      assert_equal [report],
                   document[:notes].filter_map { |one| one[:text] if one[:name] == "rounds" }
      assert_equal [["refused", 1]] * 2,
                   document[:rows].map { |row| [row[:state], row[:trials][:started]] }
    end
  end

  test "neither mohs, nor the application, nor the scratch folder minds spaces" do
    files = { "an app/config.ru" => APP.values.first, "m o h s/x" => "", "t m p/x" => "" }
    with_files(files) do |dir|
      parts = %w[lib exe].map { |name| File.join(Mohs.root, name) }
      FileUtils.cp_r(parts, File.join(dir, "m o h s"))
      mohs = Mohs::MohsCommand.new(File.join(dir, "an app"),
                                    root: File.join(dir, "m o h s"),
                                    env: { "TMPDIR" => File.join(dir, "t m p") })
      row = mohs.call("--variant", GOOD, "--rounds", "1", "--json").json[:rows].first

      assert_equal ["measured", []], [row[:state], row[:attested][:unattested]]
    end
  end

  private

  def measure(*arguments)
    with_files(APP) { |dir| return Mohs::MohsCommand.new(dir).call(*arguments, "--rounds", "1", "--json") }
  end
end
