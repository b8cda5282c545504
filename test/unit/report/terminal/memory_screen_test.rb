# frozen_string_literal: true

require "test_helper"

# The screen of `mohs show RUN --memory`, from a run as the store gives it back.
class MemoryScreenTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-report-terminal"

  MEGABYTE = 1_000_000
  PROCESSES = [
    { pid: 11, name: "puma 8.0.2 (tcp://0.0.0.0:4242) [hello]", private: 8, shared: 30, pss: 20 },
    { pid: 12, name: "puma: cluster worker 0: 11", private: 25, shared: 31, pss: 40 },
  ].freeze

  def setup
    @result = SampleResult.new({ "3.1.2, puma:1x5" => 1000, "jruby-9.4" => 500 }).to_h
  end

  test "the tree of each variant and its processes stand in megabytes, before and after load" do
    memory("3.1.2, puma:1x5", after_boot: point(PROCESSES.take(1), tree: 30),
                              at_end: point(PROCESSES, tree: 60))
    memory("jruby-9.4", after_boot: point([]),
                        at_end: { **point([]), heap: { committed_bytes: 364_904_448 } })
    assert_equal <<~TEXT, screen.lines.take(5).map { |line| line.squeeze(" ") }.join
      megabytes before load after private shared PSS RSS peak heap
      3.1.2, puma:1x5 30.0 60.0 33.0 61.0 60.0 94.0 114 –
       puma 8.0.2 (tcp:…0:4242) [hello] 20.0 20.0 8.00 30.0 20.0 38.0 48.0
       puma: cluster worker 0: 11 – 40.0 25.0 31.0 40.0 56.0 66.0
      jruby-9.4 0.00 0.00 0.00 0.00 0.00 0.00 0.00 365
    TEXT
  end

  test "what was not read is a dash" do
    assert_equal "3.1.2, puma:1x5            –      –        –       –  28.0  33.0  35.0     –\n",
                 screen.lines[1]
  end

  test "a run without a measured variant has none to show" do
    @result[:cohorts].each do |cohort|
      cohort[:trials].each { |trial| trial.update(state: "failed", reason: "it died") }
    end
    assert_said(screen)
  end

  private

  def screen
    document = Mohs::Stored.document(@result)
    Mohs::Report::Terminal::MemoryScreen.new(document, style: Mohs::Report::Terminal::Style.new).to_s
  end

  def memory(variant, points)
    @result[:cohorts].flat_map { |cohort| cohort[:trials] }.each do |trial|
      trial[:facts] = { **trial[:facts], memory: points } if trial[:variant] == variant
    end
  end

  # Sizes in megabytes.
  def point(processes, tree: 0)
    each = processes.map do |one|
      figures(one).merge(pid: one[:pid], name: one[:name])
    end
    total = %i[rss_bytes pss_bytes private_bytes shared_bytes peak_rss_bytes].to_h do |name|
      [name, each.sum { |one| one[name] }]
    end
    { **total, tree_bytes: tree * MEGABYTE, processes: each }
  end

  def figures(one)
    private_bytes, shared_bytes, pss_bytes = one.values_at(:private, :shared, :pss)
                                                .map { |size| size * MEGABYTE }
    rss_bytes = private_bytes + shared_bytes
    { private_bytes:, shared_bytes:, pss_bytes:, rss_bytes:,
      peak_rss_bytes: rss_bytes + (10 * MEGABYTE) }
  end
end
