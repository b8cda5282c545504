# frozen_string_literal: true

require "test_helper"

# mohs compare as its user sees it, on servers that fail in every way: each ends in a clear result
# that can be shown again, and leaves no process.
class CompareFaultsTest < Mohs::TestCase
  include Mohs::Leftovers

  APP = { "config.ru" => "run ->(_) { [200, {}, [\"Hello\"]] }\n" }.freeze
  A = "a::#{RUBY_VERSION}, mock"

  # Several times as slow, whatever else this machine does: decided at the first look.
  SLOW = "b::#{RUBY_VERSION}, mock, MOHS_MOCK_DELAY_MS=2"

  # B with a fault; of some of its boots alone where they are given.
  def b(fault, boots: nil, after: 1500, from: SLOW)
    counted = ", MOHS_MOCK_BOOTS=#{@dir}/boots:#{boots}" if boots
    "#{from}, MOHS_MOCK_FAULT=#{fault}, MOHS_MOCK_AFTER=#{after}#{counted}"
  end

  def setup
    @dir = Dir.mktmpdir("mohs-compare")
    APP.each { |name, text| File.write(File.join(@dir, name), text) }
    @mohs = Mohs::MohsCommand.new(@dir)
  end

  def teardown
    FileUtils.rm_rf(@dir)
  end

  def compare(*arguments) = @mohs.call("compare", *arguments, "--seed", "7")

  def shown_again(result)
    key = result.out[/mohs show (\w+)/, 1]
    assert_equal result.out, @mohs.call("show", key).out
    @mohs.call("show", key, "--json").json
  end

  slow_test "a server that crashes under load in cohort 3 alone is the result" do
    result = compare(A, b("die", boots: "5-5", after: 20))
    document = shown_again(result)

    assert_equal [1, "invalid"], [result.status.exitstatus, document[:verdict][:outcome]],
                 result.err
    assert_equal [2], (document[:cohorts][:void].map { |void| void[:cohort] })
    assert_equal [0, 1], (document[:observations].map { |one| one[:cohort] })
    assert_match(/^No verdict: B, "b", failed: .*\(exit 3\)\.$/, result.out)
    assert_empty leftovers(@dir)
  end

  test "a server that dies under load is a result after one cohort" do
    result = compare(A, b("die", after: 20))
    document = shown_again(result)

    assert_equal 1, result.status.exitstatus
    assert_match(/^No verdict: B, "b", failed: .*\(exit 3\)\.$/, result.out)
    assert_equal "invalid", document[:verdict][:outcome]
    assert_equal [0], (document[:cohorts][:void].map { |void| void[:cohort] })
    assert_empty leftovers(@dir)
  end

  test "answers that differ from A's are no verdict" do
    result = compare(A, b("other", after: 0))
    assert_equal 1, result.status.exitstatus
    assert_match(/^No verdict: B, "b": GET \/ returned 10 bytes where a returned 5/, result.out)
    assert_equal 1, shown_again(result)[:cohorts][:void].size

    assert_empty leftovers(@dir)
  end

  slow_test "answers that differ from one boot to the next are no verdict" do
    both = [A, "b::#{RUBY_VERSION}, mock"].map do |one|
      b("other", boots: "7-99", after: 0, from: one) # after a cohort of 1 + 1 and one of 2 + 2
    end
    result = compare(*both, "--budget", "60s")
    assert_match(/^No verdict: A .*reboot: GET \//, result.out)
    assert_equal 1, result.status.exitstatus
    assert_empty leftovers(@dir)
  end

  test "one that can't be served is told at its first boot" do
    result = compare(A, b("refuse"))

    assert_equal 1, result.status.exitstatus, result.err
    assert_match(/^No verdict: B, "b", can't be served: .*\(exit 1\)/, result.out)
    shown_again(result)
    assert_empty leftovers(@dir)
  end

  test "one that can't be served as it is written is told before anything is booted or stored" do
    result = compare(A, "b::#{RUBY_VERSION}, webrick:2x2")

    assert_equal [2, ""], [result.status.exitstatus, result.out]
    assert_match(/\Amohs: nothing .*: b: webrick: .*one process\n\z/, result.err)
    assert_empty @mohs.call("list", "--json").json[:runs]
  end

  slow_test "Ctrl-C prints what was measured, with status 130, and resume goes on to a verdict" do
    pid = @mohs.start("compare", A, SLOW, "--seed", "7")
    wait_for(60) { @mohs.output.include?("cohort 1 ·") }
    sleep 1
    ::Process.kill("INT", pid)
    result = @mohs.finish(20)

    assert_equal 130, result.status.exitstatus, result.err
    assert_match(/^Stopped .*, after [12] cohorts?: .*interval needs 3\./,
                 result.out)
    assert_match(/^requests\/s /, result.out)
    assert_empty leftovers(@dir)
    resumed = @mohs.call("resume", result.out[/continue: mohs resume (\w+)/, 1], "--json")
    assert_equal [0, "slower", "finished"],
                 [resumed.status.exitstatus, resumed.json[:verdict][:outcome], resumed.json[:state]]
    assert_operator resumed.json[:cohorts][:done], :>=, 3
  end

  test "Ctrl-C before the first cohort is done says that nothing is known" do
    pid = @mohs.start("compare", A, SLOW)
    wait_for(60) { @mohs.output.include?("first look") }
    sleep 1.5 # until the run is in the store
    ::Process.kill("INT", pid)
    result = @mohs.finish(20)

    assert_equal 130, result.status.exitstatus, result.err
    assert_match(/^Stopped .*: not one cohort/, result.out)
    assert_empty leftovers(@dir)
  end

  slow_test "kill -9 leaves no process, and resume goes on" do
    pid = @mohs.start("compare", A, SLOW)
    wait_for(60) { @mohs.output.include?("cohort 1 ·") }
    sleep 1.5
    ::Process.kill("KILL", pid)
    @mohs.finish(5)

    assert_empty leftovers(@dir, 5)
    key = @mohs.call("list", "--json").json[:runs].first[:run]
    assert_match(/^Stopped .*, after 1 cohort/, @mohs.call("show", key).out)
    resumed = @mohs.call("resume", key, "--json").json
    assert_equal %w[slower finished], [resumed[:verdict][:outcome], resumed[:state]]
  end

  test "a store that can grow no more ends it with one line, and no process" do
    limit = File.join(@dir, "limit.rb")
    File.write(limit, "trap(:XFSZ, 'IGNORE'); Process.setrlimit(:FSIZE, 500_000)\n")
    full = Mohs::MohsCommand.new(@dir, env: { "RUBYOPT" => "-r#{limit}" })
    result = full.call("compare", A, SLOW)

    assert_equal [1, ""], [result.status.exitstatus, result.out], result.err
    assert_match(/^mohs: the store .* cannot be written\. .*disk I\/O error.* The run is \w+\.$/,
                 result.err)
    assert_empty leftovers(@dir)
  end
end
