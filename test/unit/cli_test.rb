# frozen_string_literal: true

require "test_helper"
require "shellwords"

class CLITest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-others"

  # argv => exit status, what stdout has. Nothing is on stderr.
  TABLE = [
    [%w[help], 0, "mohs --get /products"],
    [%w[--help], 0, "mohs rubies"],
    [%w[-h], 0, "Exit status"],
    [%w[help], 0, "mohs help variants"],
    [%w[help variants], 0, "3.4.5 --yjit, puma:2x5"],
    [%w[help rates], 0, '--find-rate "p99 < 50ms"'],
    *%w[words cohort workers].map { |word| [["help", word], 0, Mohs::CLI::Topics::WORDS] },
    [%w[help run], 0, "--budget TIME"],
    [%w[run --help], 0, "Usage: mohs [options]    or    mohs run"],
    [%w[help load], 0, "--connections N"],
    [%w[help compare], 0, 'mohs compare 3.4.5 "3.4.5 --yjit"'],
    [%w[docs], 0, "mohs docs matrix"],
    [%w[docs scenario], 0, "# What each client"],
    [%w[docs matrix], 0, "# The matrix"],
    [%w[--version], 0, "mohs #{Mohs::VERSION}\n"],
    [%w[rubies], 0, "3.1.2           --yjit --mjit  /rubies/3.1.2/bin/ruby"],
    [%w[rubies], 0, "jruby-10.0.2.0: needs Java 21, found 17"],
    [%w[rubies jruby-10], 0, "reason       needs Java 21, found 17"],
    [%w[servers], 0, "server     Rubies             procs"],
  ].freeze

  MISTAKES = [
    "help rate", "help nonsense", "help runn", "help login", "help prepare", "help json", "lod",
    "measure a b", "--gett /x", "rubies --jsn",
    "--bud 3", "load x --sede=4", "--get", "--quiet rubies", "rubies a b", "bisect a",
    "--budget soon", "--rounds 0", "--seed x", "--env A", "--get x",
    "--get / --body /no/such/file", "--get / --header Accept", "--get / --weight many",
    "run none.yml", "docs matrx", "docs zzz", "rubies 9.9", "load http://192.0.2.1/",
    "load https://192.0.2.1/", 'load "http://a b/"', "load 127.0.0.1:1 -n 1 -d 1s",
    "load 127.0.0.1:1 -c 1 -t 2", "load 127.0.0.1:1 -c none",
  ].map { |line| Shellwords.split(line) }.freeze

  test "mistakes are told with what to type" do
    assert_mistakes(nil, MISTAKES, name: "command-line") { |*argv| mohs(*argv) }
  end

  TABLE.each_with_index do |(argv, status, out), index|
    test "#{index + 1}: mohs #{argv.join(' ')} gives #{status}" do
      shown = mohs(*argv)

      assert_equal status, shown.status, shown.err
      assert_includes shown.out, out
      assert_empty shown.err
    end
  end

  # Commands that print one document, and a key that it has.
  JSON_TABLE = { %w[help] => :commands, %w[help run] => :commands,
                 %w[help variants] => :commands, %w[docs] => :sections,
                 %w[docs app] => :sections,
                 %w[rubies] => :rubies, %w[rubies 3.4] => :rubies, %w[servers] => :servers,
                 %w[--version] => :mohs }.freeze

  JSON_TABLE.each do |argv, key|
    test "mohs #{argv.join(' ')} --json prints one document" do
      shown = mohs(*argv, "--json")

      assert_equal [0, ""], [shown.status, shown.err]
      assert_equal [Mohs::VERSION, 1], shown.json.values_at(:mohs, :schema)
      assert shown.json[key]
    end
  end

  test "every example of a variant in the help is one" do
    text = Mohs::CLI::Topics::VARIANTS
    examples = text.lines.grep(/\A  \S/).reject { |line| line.include?("mohs ") }
                   .flat_map { |line| line[2, 24].strip.split(/  +/) }
    typed = text.lines.grep(/\A  mohs /).flat_map { |line| Shellwords.split(line).drop(2) }

    assert_operator examples.size, :>, 12
    unquoted = examples.map { |one| Shellwords.split(one).join(" ") }
    [*unquoted, *typed - %w[--variant]].each do |one|
      assert_equal one, Mohs::Study::Notation.parse(one).to_s
    end
  end

  test "a mistake under --json is a document, and a line" do
    shown = mohs("docs", "matrx", "--json")

    assert_equal({ kind: "UsageError", exit_status: 2 },
                 shown.json[:error].slice(:kind, :exit_status))
    assert_equal "docs", shown.json[:command]
    assert_includes shown.err, "Did you mean matrix?"
  end

  # argv => whether the error is a document, and whether it has a backtrace.
  { ["list", "--bogus", "--json"] => [true, false], ["list", "--json", "--bogus"] => [true, false],
    ["list", "--bogus", "--debug"] => [false, true], ["lisst", "--json"] => [true, false],
    ["run", "-H", "--json"] => [false, false], ["run", "--header", "--debug"] => [false, false],
    ["run", "--rounds", "0", "--get", "--json"] => [false, false],
    ["run", "--rounds", "0", "--get", "--json", "--json", "--debug"] => [true, true],
    ["list", "--", "--json"] => [false, false], ["list", "\xff", "--json"] => [true, false],
    ["\xff", "--json"] => [true, false] }.each.with_index(1) do |(argv, shown), index|
    test "options decide how an error is shown, not words, #{index}" do
      output = mohs(*argv)

      assert_equal 2, output.status
      assert_equal shown, [!output.out.empty?, output.err.include?("UsageError in")], output.err
    end
  end

  test "the version is no option of a command" do
    output = mohs("list", "--version")

    assert_equal 2, output.status
    assert_includes output.err, "unknown option --version."
  end

  test "rubies are told with the keys of the contract" do
    ruby = mohs("rubies", "--json").json[:rubies].last

    assert_equal %i[name description path engine version flags state reason], ruby.keys.first(8)
    assert_equal %w[jruby-10.0.2.0 broken], ruby.values_at(:name, :state)
  end

  test "a machine without any Ruby is told where they were looked for" do
    assert_said(mohs("rubies", rubies: Mohs::FakeRubies.new).out)
  end

  test "a line of the help has room on a screen" do
    widest = mohs("help").out.lines.map { |line| line.chomp.length }.max

    assert_operator widest, :<=, 100
  end

  test "a fault of ours shows no insides, and where it was only with --debug" do
    store = -> { raise ArgumentError, "two\nlines" }
    brief = mohs("list", store:)
    long = mohs("list", "--debug", store:)

    assert_equal 1, brief.status
    assert_match(/\Amohs: .*: ArgumentError: two\. .*--debug\.\n\z/, brief.err)
    assert_includes long.err, __FILE__
  end

  test "memory that is not there is a lack of this machine, in one line" do
    shown = mohs("list", store: -> { raise NoMemoryError, "failed to allocate memory" })

    assert_equal 4, shown.status
    assert_match(/\Amohs: failed to allocate memory\. .*fewer variants/, shown.err)
  end

  test "a method that isn't there is told without what it was called on" do
    shown = mohs("list", store: -> { Struct.new(:secret).new("hidden").open })

    refute_includes shown.err, "hidden"
    assert_includes shown.err, "no open on"
  end

  test "Ctrl-C outside a measurement ends with 130" do
    shown = mohs("list", store: -> { raise Interrupt })

    assert_equal [130, "mohs: stopped\n"], [shown.status, shown.err]
  end

  test "a reader that has seen enough is no failure" do
    closed = Class.new(StringIO) { def write(*) = raise(Errno::EPIPE) }.new

    assert_equal 0, mohs("help", out: closed).status
  end

  test "colour is only for a terminal that wants it" do
    asked = { {} => true, { "NO_COLOR" => "1" } => false, { "TERM" => "dumb" } => false }
    seen = asked.keys.to_h do |env|
      [env, mohs("lod", err: Terminal.new, env:).err.include?("\e[31m")]
    end

    assert_equal asked, seen
    refute_includes mohs("lod").err, "\e["
  end
end
