# frozen_string_literal: true

require "test_helper"

# No text of others acts upon the terminal, whichever screen shows it.
class SafeOutputTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::RecordedDocuments

  Hostile = Mohs::HostileText
  Terminal = Mohs::Report::Terminal

  test "of control sequences only our own colours come out, and only where there are colours" do
    given = "\e[31mours\e[0m \e[5A\e[8m\e[38;5;1mtheirs\u009b2J\a\xff"
    [[true, "\e[31mours\e[0m theirs??"], [false, "ours theirs??"]].each do |colour, shown|
      assert_equal shown, written(colour) { |out| out.print(given) }
      assert_equal "#{shown}\n#{shown}\n", written(colour) { |out| out.puts([given], given) }
      assert_equal shown * 2, written(colour) { |out| out.write(given) && (out << given.b) }
    end
  end

  test "no line of text of others is a command of a CI runner" do
    [true, false].each do |colour|
      given = "\e[0;1m::error::a\n \u009b1m::add-mask::b"
      assert_equal ": :error::a\n : :add-mask::b", written(colour) { |out| out.print(given) }
      assert_equal "a\n: :x::\n", written(colour) { |out| out.puts("a", "::x::") }
    end
    folded = "#{'word ' * 19}::error file=a::b"
    shown = written(false) { |out| out.puts(Terminal::Style.new.wrap(folded)) }
    assert_equal ": :error file=a::b", shown.lines.last.chomp
  end

  test "mohs itself moves the cursor through a way of its own" do
    shown = written(true) do |out|
      Terminal::LiveLine.new(out, style: Terminal::Style.new).draw("text\r\e[K")
    end

    assert_equal "\rtext?\e[K", shown
  end

  test "both streams of every context are safe, and nothing else is written to" do
    terminal = Mohs::CLIHelper::Terminal.new
    output = mohs("sh\e[2Jow\u202e", err: terminal, env: { "NO_COLOR" => "1" })
    refute_match Hostile::FORBIDDEN, output.err
    context = Mohs::CLI::Context.real
    assert_equal [Mohs::CLI::SafeOutput] * 2, [context.out, context.err].map(&:class)
    files = Dir[File.join(Mohs.root, "lib/mohs/**/*.rb")].grep_v(%r{/inside/})
    # What an agent and the process of a run say is for another mohs.
    writers = files.grep_v(%r{/cli/(context|agent|run_cohort)\.rb}).select do |file|
      File.read(file).match?(/\$std(out|err)|^\s*(puts|print|warn|printf)[ (]["'\[]/)
    end
    assert_empty writers
  end

  { "run" => "f4fb", "comparison" => "3ba7", "run that failed" => "01cd" }.each do |name, key|
    test "no text of a #{name} acts upon the terminal" do
      document = with_store { |store| mohs("show", key, "--json", store: -> { store }).json }

      assert_safe(document) { |hostile, style| Terminal.new(style:).call(hostile) }
    end
  end

  %w[closed errors scenario mix].each do |name|
    test "no text of a load (#{name}) acts upon the terminal" do
      document = mohs("show", File.join(FOLDER, "loads", "#{name}.raw"), "--json").json

      assert_safe({ **document, command: "load" }) do |hostile, style|
        Terminal.new(style:).call(hostile)
      end
    end
  end

  test "no text of a bisection acts upon the terminal" do
    assert_safe(recorded("bisect")) do |hostile, style|
      Terminal.new(style:).call(hostile)
    end
  end

  # Made up, of one page that fails and one that died.
  def gate
    died = lambda do |trial, name, _|
      trial.merge!(state: "failed", reason: "x", slices: []) if name == "b"
    end
    slower = [-0.05, -0.052, -0.048, -0.051, -0.049]
    gated = Gated.new({ "/a" => ["cpu < +2%"], "/b" => ["cpu < +2%"] },
                      { "/a" => slower, "/b" => slower }, options: { "/b" => { trial: died } })
    base = Mohs::Gate::BaseRevision::Found.new(commit: "c" * 40, name: "main", reason: "x")
    invocation = Mohs::Typed.invocation(command: "gate")
    Mohs::Gate::Document.document(gated.result, name: "shop", base:, invocation:)
  end

  test "no text of a gate acts upon the terminal" do
    assert_safe(gate) { |hostile, style| Terminal.new(style:).call(hostile) }
  end

  test "annotations pass, and nothing in them acts upon the terminal or orders the runner" do
    Hostile.each_in(gate[:gates].first).each do |path, hostile|
      document = { gates: [{ **hostile, name: "#{hostile[:name]}\n::error::x" }] }
      lines = written(false) do |out|
        Mohs::Gate::GithubAnnotation.of(document).each { |one| out.annotate(one) }
      rescue KeyError
        next # an outcome that there is not
      end

      refute_match Hostile::FORBIDDEN, lines, path
      assert_operator lines.lines.size, :<=, 1
    end
    one = Mohs::Gate::GithubAnnotation.new(level: "error", title: "a", message: "b")
    assert_equal "::error title=a::b\n", written(true) { |out| out.annotate(one) }
  end

  test "no text of the doctor acts upon the terminal" do
    assert_safe(recorded("doctor")) do |hostile, style|
      Terminal::DoctorScreen.new(hostile, style:, all: true).to_s
    end
  end

  test "no progress acts upon the terminal" do
    facts = { variant: "3.4.5#{Hostile::TEXT}", variants: [Hostile::TEXT], state: "failed",
              reason: Mohs::Reason.new(summary: Hostile::TEXT, code: "odd"), line: Hostile::TEXT,
              ruby: Hostile::TEXT, stage: :ended, round: 1, cohort: 0, seconds: 1,
              notes: [Hostile::TEXT], document: nil }
    [Terminal::LineProgress, Terminal::LiveProgress].each do |kind|
      text = written(false) do |out|
        progress = kind.new(out, style: Terminal::Style.new)
        %i[install installed cohort_started trial cohort_finished].each do |name|
          progress.call(name, facts)
        end
      end
      refute_match Hostile::FORBIDDEN, text.gsub(/\e\[\d+A\r\e\[J/, "")
      assert_includes text, "link"
    end
  end

  test "no message of an error does either" do
    lines = [["compare", "\e[2J\u009bb"], ["--variant", "\e]0;x\a"], ["show", "\u202e"],
             ["load", "http://127.0.0.1:1/\e[2J"]]
    lines.each do |line|
      output = mohs(*line)
      refute_equal 0, output.status
      refute_match Hostile::FORBIDDEN, output.err
    end
  end

  test "a document of JSON escapes what a terminal would act upon, and means the same" do
    document = { a: Hostile::TEXT, b: "\n::error::b ##[error]c" }
    text = Mohs::Exporters::Documents.fetch("json").new.call(document)

    refute_match Hostile::FORBIDDEN, text
    refute_match(/^\s*::|##\[/, text)
    assert_equal document, JSON.parse(text, symbolize_names: true)
  end

  private

  def written(colour)
    stream = StringIO.new(+"")
    yield Mohs::CLI::SafeOutput.new(stream, colour:)
    stream.string
  end

  # A document that a screen can't show any more, since the text was a name that it knows, is no
  # danger.
  def assert_safe(document)
    shown = Hostile.each_in(document).filter_map do |path, hostile|
      [path, written(false) { |out| out.print(yield(hostile, Terminal::Style.new)) }]
    rescue KeyError, NoMethodError, ArgumentError, TypeError
      nil
    end
    shown.each { |path, text| refute_match Hostile::FORBIDDEN, text, path }
    assert_operator shown.count { |_, text| text.include?("link") }, :>, 0
  end
end
