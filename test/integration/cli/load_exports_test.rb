# frozen_string_literal: true

require "test_helper"
require "csv"
require "json"

# What `mohs load` writes, with the real driver against a server of ours, and `mohs show` of it.
class CLILoadExportsTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::LoadHelper

  OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/plain\r\n\r\nok"
  DRIVER = ->(**options) { Mohs::Drivers.fetch("native").new(**options) }
  FORMS = %w[raw csv ndjson hdr].freeze

  def setup = @folder = Dir.mktmpdir("mohs-exports")

  def teardown = FileUtils.rm_rf(@folder)

  def served(&)
    open_raw(lambda do |socket|
      socket.write(OK) while socket.gets("\r\n\r\n")
    end, &)
  end

  def load(*argv, **options) = mohs("load", *argv, driver: DRIVER, dir: @folder, **options)

  def show(*argv) = mohs("show", *argv, dir: @folder)

  def content(name) = File.read(File.join(@folder, name))

  def everything = FORMS.flat_map { |form| ["--#{form}", "load.#{form}"] }

  test "every form has each request, and the folder nothing else" do
    served do |port|
      output = load("127.0.0.1:#{port}", "-n", "120", "-c", "3", "-t", "2", *everything)

      assert_equal 0, output.status, output.err
      assert_match(/^120 requests written to load\.raw, load\.csv, load\.ndjson, load\.hdr$/,
                   output.err)
    end

    assert_equal FORMS.map { |form| "load.#{form}" }.sort, Dir.children(@folder).sort
    assert_equal 120, CSV.parse(content("load.csv"), headers: true).size
    assert_equal 120, content("load.ndjson").lines.size
    assert_equal 120, Mohs::HdrLogReader.new(content("load.hdr")).total.total
  end

  test "a recording shows the same table, document and lines as its load did" do
    [%w[-n 150 -c 2], %w[-n 20 -c 2 --close], %w[--batches 5x30 -c 2 -t 2],
     %w[-n 90 -c 2 --rate 3000 --poisson --seed 5],
     %w[-d 300ms -c 1 --rate 200,30000,100..400 -t 1]].each do |options|
      served do |port|
        json = load("127.0.0.1:#{port}", *options, *everything, "--json", "--quiet").out

        assert_equal json, show("./load.raw", "--json").out
        assert_match(%r{\A127.* connections?\n[\d ]+ requests/s for .* answered 200},
                     show("load.raw").out)
        %w[csv ndjson hdr].each do |form|
          assert_equal content("load.#{form}"), show("load.raw", "--#{form}", "-").out
        end
      end
    end
  end

  LOG = Array.new(60) { |number|
    %(127.0.0.1 - - [10/Oct/2025:13:55:36 +0000] "GET /#{number % 4} HTTP/1.1" 200 2\n)
  }.join

  test "so does that of a log's requests" do
    File.write(File.join(@folder, "access.log"), LOG)
    served do |port|
      output = load("127.0.0.1:#{port}", "--from-log", "access.log", "-n", "200", *everything,
                  "--json", "--quiet")

      assert_equal 4, output.json[:answers].size
      assert_equal output.out, show("load.raw", "--json").out
      requests = CSV.parse(content("load.csv"), headers: true).map { |row| row["request"] }
      assert_equal %w[0 1 2 3], requests.uniq.sort
    end
  end

  # A terminal, and, from when all are counted, so few descriptors that some connections get none.
  FEW = <<~RUBY
    require "mohs"
    require "stringio"
    err = StringIO.new(+"")
    def err.tty? = true
    def err.winsize = [24, 100]
    context = Mohs::CLI::Context.real.tap { |real| real.err = err }
    driver = context.driver
    context.driver = lambda do |**options|
      Process.setrlimit(Process::RLIMIT_NOFILE, 30)
      driver.call(**options)
    end
    status = Mohs::CLI.new(context).call(ARGV)
    puts status, err.string
  RUBY

  test "a load that takes every descriptor is followed, told and written all the same" do
    served do |port|
      argv = ["load", "127.0.0.1:#{port}", "-c", "40", "-d", "500ms", "--csv", "#{@folder}/few.csv"]
      output = in_child(FEW, *argv)

      assert_match(/^errors [\d ]+: no_descriptor/, output)
      assert_match(/^1\n/, output)
      assert_match(%r{ s +[\d ]+/s .* errors \d}, output)
      assert_match(/^\d+,,,\d+,,no_descriptor,0,/, content("few.csv"))
    end
  end

  # Somebody presses Ctrl-C at what is drawn first.
  class Impatient < Terminal
    def print(*)
      return super if @pressed

      @pressed = true
      raise Interrupt
    end
  end

  test "after Ctrl-C the files have what was measured until then" do
    served do |port|
      output = load("127.0.0.1:#{port}", "-d", "30s", "-c", "1", *everything, err: Impatient.new)
      sent = output.out[/: ([\d ]+) sent/, 1].delete(" ").to_i

      assert_equal [130, sent], [output.status, content("load.ndjson").lines.size]
      assert_operator sent, :>, 10
      assert_equal output.out, show("load.raw").out
    end
  end

  test "lines on stdout leave the table to stderr" do
    served do |port|
      output = load("127.0.0.1:#{port}", "-n", "30", "--csv", "-")

      assert_equal 31, output.out.lines.size
      assert_match(%r{^[\d ]+ requests/s for }, output.err)
    end
  end

  test "where it can't be written is told before anything is sent" do
    File.write(File.join(@folder, "kept"), "as it was")
    File.symlink("kept", File.join(@folder, "link"))
    { %w[--raw none/x] => /none\/x can't be written: No such file/, %w[--csv .] => /a folder/,
      %w[--csv a --hdr a] => /--csv and --hdr can't both write a/,
      %w[--csv - --hdr -] => /can't both/,
      %w[--csv - --json] => /both write .*stdout/, %w[--raw -] => /binary data/,
      %w[--csv a --driver wrk] => /wrk .*record.*--csv/ }
      .each do |options, message|
        output = load("127.0.0.1:1", *options)
        assert_equal 2, output.status
        assert_match message, output.err
      end
    assert_equal %w[kept link], Dir.children(@folder).sort
  end

  test "a load that fails leaves what was there as it was" do
    File.write(File.join(@folder, "load.csv"), "as it was")
    output = load("127.0.0.1:1", "--csv", "load.csv")

    refute_equal 0, output.status
    assert_equal ["load.csv", "as it was"], [*Dir.children(@folder), content("load.csv")]
  end

  test "a link stays one, and its file is replaced" do
    File.write(File.join(@folder, "kept"), "old")
    File.symlink("kept", File.join(@folder, "link"))
    served { |port| load("127.0.0.1:#{port}", "-n", "5", "--csv", "link", "--quiet") }

    assert File.symlink?(File.join(@folder, "link"))
    assert_equal 6, content("kept").lines.size
  end

  test "options that are not of a recording, or not of a run, are refused" do
    { %w[./x --log a] => /--log .*runs/,
      %w[7c1a --hdr x] => /--hdr .*recordings/,
      %w[7c1a --log a --csv x] => /--log and --csv .*combined/, %w[./none] => /none can't be read/,
      %w[./none --raw x] => /unknown option --raw/ }.each do |argv, message|
      output = show(*argv)
      assert_equal 2, output.status
      assert_match message, output.err
    end
  end
end
