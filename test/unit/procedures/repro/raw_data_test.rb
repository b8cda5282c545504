# frozen_string_literal: true

require "test_helper"

class ReproRawDataTest < Mohs::TestCase
  include Mohs::Published
  include Mohs::RawFiles

  CLAIMS = "- {text: A, place: p, order: {more: jit, than: new}}\n"
  HEADER = "batch,p50,p75,p90,p99,end_time,batch_rps,average_rps"
  TWO = "#{HEADER}\n0,30.5,31,32,90.25,2.0,512.0,512.0\n1,20.5,21,22,80.5,3.0,1024.0,682.7\n"

  def load(files)
    with_files(files) { |folder| Mohs::Repro::RawData.load(folder, publication(CLAIMS)) }
  end

  test "each level has its trials, each trial its batches" do
    raw = load({ "jit/1/result.csv" => TWO, "jit/2/result.csv" => TWO, "new/1/result.csv" => TWO,
                 "notes/1/result.csv" => "", "README.md" => "" })
    trial = raw.cold_start.level("jit").trials.first

    assert_equal [["new", 1], ["jit", 2]],
                 raw.cold_start.levels.map { |level| [level.name, level.trials.size] }
    assert_equal [[1024, 2.0, 30.5, 90.25, nil, nil], [1024, 1.0, 20.5, 80.5, nil, nil]],
                 trial.batches.map { |batch| batch.to_h.values }
    assert_equal [512.0, 1024.0], trial.batches.map(&:per_s)
    assert_equal %w[new jit], raw.rows.map(&:name)
  end

  test "names of levels are those of the study, whatever is in them" do
    study = "variants: ['a[1]::3.4.5', 'b {x}*::3.1.2']\n"
    publication = publication("- {text: A, place: p, order: {more: 'a[1]', than: 'b {x}*'}}\n",
                              study:)
    raw = with_files({ "a[1]/1/result.csv" => TWO, "b {x}*/1/result.csv" => TWO }) do |folder|
      Mohs::Repro::RawData.load(folder, publication)
    end

    assert_equal ["a[1]", "b {x}*"], raw.rows.map(&:name)
  end

  test "percentages of a batch tell which share lies near 40 ms" do
    times = (0..100).map { |share| [share, share < 60 ? 5.0 : 41.0] }
    lines = ["Percentage served,Time in ms", *times.map { |pair| pair.join(",") }].join("\n")
    raw = load({ "jit/1/result.csv" => TWO, "jit/1/tmp/001.csv" => lines })
    batches = raw.cold_start.level("jit").trials.first.batches

    assert_nil batches.first.stalls
    assert_equal({ inside: 41 * 1024 / 100, beside: 0 }, batches.last.stalls.first)
    assert_in_delta 0.41, raw.cold_start.level("jit").delayed_acks, 0.001
  end

  { "a,b\n1,2\n" => "jit/1/result.csv: line 1 lacks batch, p50, p99, end_time, batch_rps",
    "" => "jit/1/result.csv: line 1 lacks batch",
    HEADER => "jit/1/result.csv: line 1 has no batch",
    "#{TWO.lines.first(2).join}\xff\n" => "jit/1/result.csv: line 3 should be 8 numbers",
    "#{TWO}2,1,2\n" => "jit/1/result.csv: line 4 should be 8 numbers",
    TWO.sub("30.5", "fast") => "jit/1/result.csv: line 2 should be 8 numbers",
    TWO.sub("3.0", "2.0") => "jit/1/result.csv: line 3 end_time and batch_rps should grow from 0",
    TWO.sub("512.0,", "-1,") => "jit/1/result.csv: line 2 end_time and batch_rps should grow" }
    .each do |text, message|
    test "fault: #{message}" do
      fault = assert_raises(Mohs::UsageError) { load({ "jit/1/result.csv" => text }) }

      assert_includes fault.message, message
    end
  end

  test "what can't be read is a mistake of the person's" do
    with_files({ "jit/1/result.csv/x" => "" }) do |folder|
      fault = assert_raises(Mohs::UsageError) do
        Mohs::Repro::RawData.load(folder, publication(CLAIMS))
      end

      assert_match(/regular file/, fault.message)
    end
  end

  test "a folder without any level says what belongs there" do
    fault = assert_raises(Mohs::UsageError) { load({ "nobody/1/result.csv" => TWO }) }

    assert_match(/ no raw data .*\(old, \.\.\.\)/,
                 fault.message)
  end

  COLUMNS = "batch,p50,p99,end_time,batch_rps"
  FAULTY = {
    "a p50 below 0" => ->(at) { [at, -1, 2, at, 1000] },
    "a p50 of 0" => ->(at) { [at, 0, 2, at, 1000] },
    "an infinite p50" => ->(at) { [at, "1e999", 2, at, 1000] },
    "an infinite rate" => ->(at) { [at, 1, 2, at, "1e999"] },
    "an infinite batch" => ->(at) { ["1e999", 1, 2, at, 1000] },
    "an infinite time" => ->(at) { [at, 1, 2, at == 20 ? "1e999" : at, 1000] },
    "a number of 300 digits" => ->(at) { [at, 1, "1e300", at, 1000] },
    "batches without a request" => ->(at) { [at, 1, 2, at * 1e-6, 1000] },
  }.freeze

  def own(files)
    with_files(files) do |folder|
      yield folder if block_given?
      return Mohs::Repro::RawData.load(folder, publication(CLAIMS))
    end
  end

  FAULTY.each do |name, row|
    test "#{name} is refused" do
      lines = [COLUMNS, *(1..20).map { |at| row.call(at).join(",") }].join("\n")
      error = assert_raises(Mohs::UsageError) { own("jit/1/result.csv" => lines) }
      assert_match(%r{jit/1/result\.csv: line \d+ }, error.message)
    end
  end

  test "a column twice, a pipe and a device are refused" do
    twice = assert_raises(Mohs::UsageError) { own("jit/1/result.csv" => "#{COLUMNS},p50\n") }
    assert_match(/line 1 .*column/, twice.message)
    { "pipe" => ->(path) { File.mkfifo(path) },
      "device" => ->(path) { File.symlink("/dev/zero", path) } }.each_value do |make|
      error = assert_raises(Mohs::UsageError) do
        own("jit/1/other" => "") { |folder| make.call("#{folder}/jit/1/result.csv") }
      end
      assert_match(/regular file/, error.message)
    end
  end
end
