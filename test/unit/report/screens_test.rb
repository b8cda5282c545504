# frozen_string_literal: true

require "test_helper"

# Whole screens of runs as the store gives them back, from the sentence to the last line.
class ScreensTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  RATES = { "3.1.2" => 1200, "3.4.5" => 1230, "3.4.5 --yjit" => 1650,
            "3.3.8 --yjit" => 1649 }.freeze
  JAVA = "needs Java 21, found 17: set JAVA_HOME to a Java 21, or install one " \
         "(apt-get install openjdk-21-jre)"
  SECRET = "the app wants a secret: SECRET_KEY_BASE is not set (--env SECRET_KEY_BASE=anything)"

  def model(rates, **noise)
    sample = SampleResult.new(rates, **noise)
    result = sample.to_h
    yield result, sample if block_given?
    Mohs::Stored.document(result)
  end

  def add(result, name, trial, **variant)
    result[:run][:study][:variants] << { name:, refusal: nil, **variant }
    result[:cohorts].each { |cohort| cohort[:trials] << trial }
  end

  def mixed
    model(RATES) do |result, sample|
      add(result, "jruby-10", sample.failed("jruby-10", reason: JAVA).merge(log_tail: nil))
      add(result, "redirect",
          sample.failed("redirect", state: "invalid",
                                    reason: "half of the answers were 302 to /login"))
      add(result, "2.7.4",
          sample.failed("2.7.4", state: "failed", reason: "the server died: exit 3\nsegfault at 0"))
      add(result, "2.7.4 --jit",
          sample.failed("2.7.4 --jit", state: "failed",
                                       reason: "the server died: exit 3\nsegfault at 0"))
    end
  end

  def long_names
    flags = "--yjit --yjit-exec-mem-size=64, puma:2x5, MALLOC_ARENA_MAX"
    model({ "3.4.5 #{flags}=1" => 1200, "3.4.5 #{flags}=2" => 1500, "3.1.2" => 1000 })
  end

  def interrupted
    model({ "3.1.2" => 1200, "3.4.5 --yjit" => 1650 }) do |result, _|
      result[:run][:state] = "interrupted"
      result[:cohorts][1][:trials].each do |trial|
        trial.merge!(state: "lost", reason: nil, slices: [], facts: {})
      end
      result[:cohorts][1][:state] = "queued"
      result[:cohorts][2].merge!(state: "queued", trials: [])
    end
  end

  def resumed
    model({ "3.1.2" => 1200, "3.4.5 --yjit" => 1650 }) do |result, sample|
      lost = { variant: "3.1.2", state: "lost", reason: nil, slices: [], facts: {} }
      result[:cohorts][1][:trials] = [lost, *sample.cohort(2)[:trials]]
    end
  end

  # 100 WebSockets in each slice, with messages that are to come back or without.
  def websockets(**given) = Mohs::StreamedSlices.document(**given)

  DOCUMENTS = {
    "websockets" => ->(test) {
      counts = { **Mohs::StreamedSlices::MESSAGES, sent: 79, received: 78, unsent: 1 }
      test.websockets(messages: counts)
    },
    "websockets-idle" => ->(test) {
      idle = Mohs::StreamedSlices::MESSAGES.transform_values { 0 }
      test.websockets(messages: idle, messages_per_s: 0)
    },
    "fan-out" => ->(test) {
      test.websockets(facts: Mohs::StreamedSlices::FANNED, **Mohs::StreamedSlices::SAID)
    },
    "subscriptions" => ->(test) {
      idle = Mohs::StreamedSlices::MESSAGES.transform_values { 0 }
      test.websockets(messages: idle, channel: "ChatChannel")
    },
    "undecided" => ->(test) { test.model({ "3.1.2" => 1000, "3.4.5" => 1010 }, boot_sd: 0.03) },
    "too-noisy" => ->(test) { test.model({ "3.1.2" => 1000, "3.4.5" => 1010 }, boot_sd: 0.9) },
    "all-equal" => ->(test) {
      test.model({ "a" => 1000, "b" => 1001, "c" => 999 }, rounds: 6, boot_sd: 0.001,
                                                           block_sd: 0.002)
    },
    "one-variant" => ->(test) { test.model({ "3.4.5 --yjit" => 1650 }) },
    "single-round" => ->(test) {
      test.model({ "3.1.2" => 1200, "3.4.5 --yjit" => 1650 }, rounds: 1)
    },
    "interrupted" => :interrupted.to_proc, "resumed" => :resumed.to_proc,
    "many-alike" => ->(test) {
      test.model(("a".."h").to_h do |name|
        [name, name == "a" ? 1000 : 1400]
      end)
    },
  }.freeze

  DOCUMENTS.each do |name, build|
    test "the screen of a run that ended #{name}" do
      document = build.call(self)

      assert_golden(name, screen(document))
      [60, 80, 200].each do |width|
        assert_operator screen(document, width:).lines.map { |line|
          line.chomp.length
        }.max, :<=, width
      end
    end
  end

  WIDE = { "3.1.2" => 1200, "3.1.2 --mjit" => 1190, "3.1.2 --yjit" => 1450, "3.3.8" => 1260,
           "3.3.8 --yjit" => 1650, "3.4.5" => 1300, "3.4.5 --yjit" => 1700, "3.4.5 --rjit" => 1100,
           "jruby-10.0.2.0" => 1900, "4.0.0 --zjit" => 1500, "4.0.0" => 1310 }.freeze

  { "overlapping" => { boot_sd: 0.05, rounds: 4 }, "all-alike" => { boot_sd: 0.55 } }
    .to_a.product([80, 120]).each do |(name, noise), width|
    test "eleven variants with wide intervals, #{name}, at #{width} columns" do
      text = screen(model(WIDE, **noise), width:)

      assert_golden("#{name}-#{width}", text)
      assert_operator text.lines.map { |line| line.chomp.length }.max, :<=, width
    end
  end

  [60, 80, 100, 120, 200].each do |width|
    test "rows that were refused, invalid and failed, at #{width} columns" do
      text = screen(mixed, width:)

      assert_golden("mixed-#{width}", text)
      assert_operator text.lines.map { |line| line.chomp.length }.max, :<=, width
    end
  end

  [60, 100].each do |width|
    test "names that have no room are cut, and told as a whole once, at #{width} columns" do
      document = long_names
      text = screen(document, width:)

      assert_golden("long-names-#{width}", text)
      below = text.split("\n\n").last.gsub(/\n\s+/, " ")
      document[:rows].each do |row|
        assert_includes below, row[:variant] unless row[:variant] == "3.1.2"
      end
      assert_equal 3, text.scan(/faster \[|slower \[|undecided \[|baseline$/).size,
                   "verdicts stay whole"
    end
  end

  test "every reason stands on the screen as a whole, once" do
    folded = screen(mixed, width: 80).gsub(/\n\s+/, " ")

    [JAVA, "half of the answers were 302 to /login"].each do |reason|
      assert_equal 1, folded.scan(reason).size, reason
    end
    assert_equal 1, folded.scan("segfault at 0").size, "two variants of one reason share a line"
    assert_match(/why +2\.7\.4, 2.7.4 --jit: the server died: exit 3 segfault at 0$/, folded)
  end

  test "where one reason kept all from running, it is told once" do
    document = model({ "3.1.2" => 1200 }) do |result, sample|
      result[:cohorts].each do |cohort|
        cohort[:trials] = [sample.failed("3.1.2", reason: SECRET).merge(log_tail: nil)]
      end
    end

    assert_golden("nothing-at-all", screen(document, width: 80))
  end

  # Environment, is it a terminal => are there colours?
  { [{}, true] => true, [{}, false] => false, [{ "NO_COLOR" => "1" }, true] => false,
    [{ "NO_COLOR" => "" }, true] => true,
    [{ "TERM" => "dumb" }, true] => false }.each do |(env, tty), colours|
    test "#{tty ? 'on a terminal' : 'in a pipe'} with #{env}: colours: #{colours}" do
      store = Mohs::Stored::Reader.new(SampleResult.new(RATES).to_h)
      out = tty ? Terminal.new(100) : StringIO.new(+"")
      output = mohs("show", "7c", out:, env:, store: -> { store })

      assert_equal colours, output.out.include?("\e[")
      assert_equal screen(model(RATES)), output.out.gsub(/\e\[\d+m/, "")
    end
  end

  test "a terminal that is narrower than any table still gets whole lines" do
    [20, 30, 40].each { |width| assert_includes screen(mixed, width:), "3.1.2" }
  end
end
