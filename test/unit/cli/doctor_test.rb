# frozen_string_literal: true

require "test_helper"

# `mohs doctor` with a made-up host: what it prints, and its exit status.
class CLIDoctorTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-doctor"

  def self.finding(code, severity, value, **values)
    Mohs::Analysis::Finding.new(code:, severity:, values: { value:, **values })
  end

  GAPS = finding("gaps.measured", :bad, 0.14, cpu: 0, longest_ns: 12_000_000)
  GOVERNOR = finding("governor.following", :warn, "powersave")
  SWAP = finding("swap.none", :ok, 0)
  TURBO = finding("turbo.unknown", :unknown, nil)
  ALL = [GOVERNOR, SWAP, TURBO, GAPS].freeze

  HOLDER = Mohs::Process::MachineName::Holder.new(pid: 42, uid: Process.euid)

  # Hears what it is asked; knows one change.
  class FakeDoctor
    attr_reader :seconds, :asked

    def initialize(results, changes = [])
      @results = results
      @changes = changes
      @asked = []
    end

    def examine(seconds:, wait:)
      @seconds = seconds
      wait.call(HOLDER) if seconds == 2
      @results
    end

    def fixes(env:) = tap { @env = env }

    def fix = @asked.push(:fix) && @changes

    def undo = @asked.push(:undo) && @changes
  end

  def doctor(*argv, results: ALL, changes: [], **rest)
    @fake = FakeDoctor.new(results, changes)
    mohs("doctor", "--checks-only", *argv, doctor: @fake, **rest)
  end

  test "troubles first, the worst on top, the rest by name" do
    output = doctor

    assert_said(output.out)
    assert_equal 0, output.status
    assert_match(/\Amohs doctor: .*core.* 3 s\n\z/, output.err)
  end

  test "--all shows each on its own line" do
    lines = doctor("--all").out.lines(chomp: true)

    assert_includes lines, "ok    swap       nothing swapped"
    assert(lines.any? { |line| line.start_with?("?     turbo      no switch") })
    refute_includes lines.join, "mohs doctor --all"
  end

  test "a quiet host is told in one sentence" do
    assert_match(/\ANo problems .*\.\n\nok    swap \(mohs doctor --all\)\n\z/,
doctor(results: [SWAP]).out)
    assert_match(/\A1 problem found/, doctor(results: [GAPS]).out)
  end

  test "--json is one document, with the keys of the page, and what is unknown apart" do
    output = doctor("--json", "--quiet", "--fix", changes: CHANGES)

    assert_empty Mohs::JSONContract.new("`doctor`").faults(output.json)
    assert_empty output.err
    assert_equal %w[governor swap gaps], output.json[:checks].map { |check| check[:name] }
    assert_empty output.json[:checks].map { |check| check[:level] } - %w[ok warn bad]
    assert_equal [%w[turbo turbo]], (output.json[:unknown].map { |one|
 one.values_at(:name, :label) })
    assert_match(/\Ano switch/, output.json[:unknown].first[:reason])
    assert_equal "/sys/cpu0", output.json[:changes].first[:path]
    assert_nil doctor("--json").json[:changes]
  end

  CHANGES = [
    ["sys/cpu0", "powersave", "performance", "done", nil],
    ["sys/cpu1", "powersave", "performance", "done", nil],
    ["proc/range", "1024\t65535", "32768 65535", "failed", "Read-only file system"],
  ].map { |values| Mohs::Doctor::Fixes::Change.new(**%i[path was now state reason].zip(values).to_h) }

  test "--fix says what it did, the same on many cores once" do
    output = doctor("--fix", changes: CHANGES)

    assert_includes output.out, <<~TEXT
      done   /sys/cpu0 and 1 more: powersave -> performance
      failed /proc/range: 1024 65535 -> 32768 65535: Read-only file system
    TEXT
    assert_equal [:fix], @fake.asked
  end

  test "--undo undoes, and says when there is nothing" do
    assert_said(paragraph(doctor("--undo").out, "Nothing"))
    assert_equal [:undo], @fake.asked
    doctor
    assert_empty @fake.asked
  end

  test "who is not root is told so by the command's exit status too" do
    fake = FakeDoctor.new(ALL)
    fake.define_singleton_method(:fix) { raise Mohs::EnvironmentError, "sudo mohs doctor --fix" }
    output = mohs("doctor", "--fix", doctor: fake)

    assert_equal [4, "", "mohs: sudo mohs doctor --fix\n"], [output.status, output.out, output.err]
  end

  test "the time to spin is asked for, within bounds" do
    output = doctor("--seconds", "2")

    assert_equal 2, @fake.seconds
    assert_includes output.err, "(process 42)"
    assert_equal [2, 2, 2], %w[0 61 x].map { |text| doctor("--seconds", text).status }
    assert_equal 2, doctor("--fix", "--undo").status
  end

  test "a fault of the doctor's own is a failure" do
    fake = FakeDoctor.new(ALL)
    fake.define_singleton_method(:examine) { |**| raise "bug" }

    assert_equal 1, mohs("doctor", doctor: fake).status
  end

  test "a self test is the first sentence" do
    cohorts = [-0.005, 0.0, 0.005].map { |log_difference| { log_difference:, seconds: 2.0 } }
    self_test = Mohs::Compare::Resolution.of(cohorts)
    document = Mohs::Report::DoctorModel.document(ALL, changes: nil, seconds: 3, self_test:)
    style = Mohs::Report::Terminal::Style.new

    text = Mohs::Report::Terminal::DoctorScreen.new(document, style:).to_s
    assert_match(/\AThis host .* 5 % in 8 s, 2 % in 12 s, 1 % in 24 s .*: 3 cohorts /,
                 text.lines.first(2).join(" ").squeeze(" \n").tr("\n", ""))
    envelope = Mohs::Report::Document.envelope("doctor", document)
    assert_empty Mohs::JSONContract.new("`doctor`").faults(envelope)
  end

  def first_sentence(differences)
    cohorts = differences.map { |log_difference| { log_difference:, seconds: 2.0 } }
    self_test = Mohs::Compare::Resolution.of(cohorts)
    document = Mohs::Report::DoctorModel.document(ALL, changes: nil, seconds: 3, self_test:)
    style = Mohs::Report::Terminal::Style.new
    screen = Mohs::Report::Terminal::DoctorScreen.new(document, style:).to_s
    screen.split("\n\n").first.tr("\n", " ")
  end

  test "a self test says what takes longer at least, and what this host is too noisy for" do
    assert_match(/ 5 % in 24 s; .*too noisy .* 2 % \(.*: 3 cohorts /,
                 first_sentence([-0.025, 0.0, 0.025]))
    assert_said(first_sentence([-0.2, 0.0, 0.2]))
  end

  test "no line is wider than the terminal, however long the words" do
    busy = Array.new(3) { |at| { name: "a_rather_long_name_of_a_process_#{at}", share: 0.1 } }
    long = self.class.finding("other_processes.measured", :bad, 0.3, processes: busy)
    wide = doctor("--all", results: [long, *ALL], out: Mohs::CLIHelper::Terminal.new(80),
                           env: { "NO_COLOR" => "1" }).out

    assert_operator wide.lines.map { |line| line.chomp.length }.max, :<=, 80
  end
end
