# frozen_string_literal: true

require "test_helper"

# mohs import of results of other tools: variants, runs, baseline.
class CLIImportTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-import"

  FIXTURES = File.join(Mohs.root, "test/fixtures")
  WRK = File.read(File.join(FIXTURES, "drivers/wrk.txt"))

  def wrk(rate)
    WRK.sub(/\d+ requests in/, "#{rate} requests in").sub(%r{(Requests/sec:) .*}, "\\1 #{rate}.5")
  end

  # { file => requests/s } as outputs of wrk; what the command says of them.
  def import(rates, *argv)
    with_files(rates.transform_values { |rate| wrk(rate) }) do |folder|
      return mohs("import", *argv, dir: folder)
    end
  end

  A = { "a1.txt" => 1000, "a2.txt" => 1010, "a3.txt" => 1005 }.freeze
  B = { "b1.txt" => 1200, "b2.txt" => 1210, "b3.txt" => 1204 }.freeze

  test "files behind --variant are its runs, and several variants are compared" do
    output = import({ **A, **B }, "--variant", "puma", *A.keys, "--variant", "falcon", *B.keys)

    assert_equal [0, ""], [output.status, output.err]
    assert_operator output.out, :start_with?, "\"falcon\" is 19.9 % faster than \"puma\" " \
                                              "[18.6, 21.1] in requests/s, over 3 runs of each.\n"
    assert_match(/^puma +3 +1 006 ±1\.\d % .* baseline$/, output.out)
    assert_match(/^falcon +3 +1 205 .* 19.9 % faster \[18\.6, 21\.1\]$/, output.out)
  end

  test "without --variant each file is a variant, and there is no interval" do
    output = import({ "a.txt" => 1000, "b.txt" => 1100 }, "a.txt", "b.txt", "--baseline", "b")

    assert_match(/^a +1 +1 0\d\d .* -9\.1 %, no interval$/, output.out)
    assert_match(/no interval: .*two runs/, output.out)
    json = import({ "a.txt" => 1000, "b.txt" => 1100 }, "a.txt", "b.txt", "--json").json
    assert_equal ["a", nil, [1, 1]],
                 [json[:baseline], *json[:comparisons].first.values_at(:interval, :runs)]
  end

  SENTENCES = {
    [[1000]] => "v1: 1 000 requests/s in 1 run (no interval).",
    [[1000, 1010, 1005]] => "v1: 1 006 requests/s in 3 runs (±1.2 %).",
    [[1000], [1100]] => "v2 against v1: +10 % in requests/s, over 1 run of each, without an",
    [[1000, 1010], [1005]] => "v2 against v1: +0.0 % in requests/s, over 1 and 2 runs, without",
    [[1000, 1010, 1005], [4000, 4010]] => "v2 is 4.0 times as fast as v1 [3.9",
    [[1000, 1010, 1005], [990, 1020, 1007]] => "v2 against v1: undecided [-3",
    [[1000, 1001, 1000], [900, 901, 900], [1100, 1101, 1100], [1000, 950, 1050]] =>
      "3 compared with v1: 1 faster, 1 undecided and 1 slower; v3 is 10.0 % faster than v1 [",
  }.freeze

  SENTENCES.each_with_index do |(rates, sentence), number|
    test "the first line is the answer, #{number}" do
      files, argv = {}, []
      rates.zip(%w[v1 v2 v3 v4]).each do |values, variant|
        argv.push("--variant", variant)
        values.each_with_index do |rate, index|
          argv << "#{variant}#{index}.txt"
          files[argv.last] = rate
        end
      end
      assert_operator import(files, *argv, "--json").json[:sentence], :start_with?, sentence
    end
  end

  test "no speed stands without the share of requests that failed" do
    failing = wrk(1300).sub(/^Requests\/sec/, "  Non-2xx or 3xx responses: 130\n\\0")
    files = { **A.transform_values { |rate| wrk(rate) }, "b1.txt" => failing, "b2.txt" => failing }
    with_files(files) do |folder|
      argv = ["--variant", "a", *A.keys, "--variant", "b", "b1.txt", "b2.txt", "--json"]
      json = mohs("import", *argv, dir: folder).json

      assert_match(/^"b" against "a": .*; failed requests: "b" 10 %\.\z/, json[:sentence])
      alone = mohs("import", "b1.txt", "--json", dir: folder).json[:sentence]
      assert_equal "b1: 1 170 requests/s in 1 run (no interval); 10 % failed.", alone
    end
  end

  test "executions and repetitions that failed leave no comparison" do
    results = [{ command: "good", mean: 2, times: [2.0, 2.1, 2.05], exit_codes: [0, 0, 0] },
               { command: "bad", mean: 1, times: [2.0, 0.1, 0.1], exit_codes: [0, 1, 1] }]
    record = File.read(File.join(FIXTURES, "importers/benchmark_driver/record.yml"))
    with_files("h.json" => JSON.generate({ results: }),
               "r.yml" => record.sub("- 1335038.4266135092", "- 0.0")) do |folder|
      %w[h.json r.yml].each do |file|
        json = mohs("import", file, "--json", dir: folder).json
        failed, *others = json[:comparisons].select { |one| one[:outcome] == "invalid" }

        assert_nil failed[:effect]
        assert_match(/a run failed/, [failed, *others].flat_map { |one| one[:reasons] }.first)
      end
    end
  end

  test "what was sent at a set rate is compared by its latency, not by that rate" do
    report = JSON.parse(File.read(File.join(FIXTURES, "importers/vegeta/results.json")).lines.first)
    files = [["a", 1], ["b", 3]].flat_map do |name, times|
      Array.new(2) do |run|
        lines = Array.new(400) do |at|
          stamp = Time.at(1_700_000_000 + (at / 100.0), in: "UTC").strftime("%FT%T.%NZ")
          report.merge("timestamp" => stamp, "latency" => times * (1_000_000 + (run * 9000) + at))
        end
        ["#{name}#{run}.json", lines.map { |line| "#{JSON.generate(line)}\n" }.join]
      end
    end
    with_files(files.to_h) do |folder|
      json = mohs("import", "--variant", "a", "a0.json", "a1.json", "--variant", "b", "b0.json",
                  "b1.json", "--json", dir: folder).json

      assert_match(/\A"b" is 66.7 % slower than "a" .* in p50/, json[:sentence])
      assert_includes json[:rows].first[:lacks].map { |lack| lack[:code] }, "import_offered_rate"
    end
  end

  test "in a narrow terminal columns go, and it is said" do
    with_files({ **A, **B }.transform_values { |rate| wrk(rate) }) do |folder|
      out = Terminal.new(60)
      mohs("import", *A.keys, *B.keys, dir: folder, out:, env: { "NO_COLOR" => "1" })
      assert_match(/no room for max/, out.string)
      assert_operator out.string.lines(chomp: true).map(&:length).max, :<=, 60
    end
  end

  test "files of the same name in several folders are told apart by these" do
    json = import({ "x/wrk.txt" => 1000, "y/wrk.txt" => 1100, "z.txt" => 1 }, "x/wrk.txt",
                  "y/wrk.txt", "z.txt", "--json").json

    assert_equal %w[x/wrk y/wrk z], json[:rows].map { |row| row[:variant] }
    assert_equal %w[x/wrk.txt y/wrk.txt z.txt], json[:files].map { |file| file[:file] }
  end

  test "several outputs in one file are several runs" do
    { "wrk.txt" => "wrk", "ab.txt" => "ab", "hey.txt" => "hey", "h2load.txt" => "h2load" }
      .each do |name, format|
        text = File.read(File.join(FIXTURES, "drivers", name))
        with_files("x" => text * 3) do |folder|
          row = mohs("import", "x", "--json", dir: folder).json[:rows].first
          one = row[:requests] / 3
          assert_equal [3, one * 3], row.values_at(:runs, :requests), format
        end
      end
  end

  test "a compressed file says so, and a mark at its beginning does no harm" do
    bytes = File.binread(File.join(FIXTURES, "importers/jmeter/results.jtl"))
    with_files do |folder|
      File.binwrite(File.join(folder, "x.gz"), Zlib.gzip(bytes))
      File.binwrite(File.join(folder, "x.jtl"), "\u{feff}".b + bytes)
      assert_match(/x\.gz .*compressed/, mohs("import", "x.gz", dir: folder).err)
      assert_equal 0, mohs("import", "x.jtl", dir: folder).status
    end
  end

  test "a file after -- is read too, whatever its name" do
    assert_match(/^-a +1 /, import({ "-a.txt" => 1000 }, "--", "-a.txt").out)
  end

  test "levels and trials of the thesis are variants and runs" do
    files = Object.new.extend(Mohs::RawFiles).raw_files.select { |path, _| path.end_with?("t.csv") }
    with_files(files) do |folder|
      json = mohs("import", *files.keys, "--json", dir: folder).json
      levels = files.keys.map { |path| path[/[^\/]+/] }

      assert_equal levels.uniq, json[:rows].map { |row| row[:variant] }
      assert_equal levels.tally.values, json[:rows].map { |row| row[:runs] }
    end
  end

  test "commands of hyperfine name themselves, with --variant in front" do
    file = File.join(FIXTURES, "importers/hyperfine/export.json")
    plain, named = [[], %w[--variant new]].map { |more| mohs("import", *more, file, "--json").json }

    assert_equal ["sleep 0.02", "sleep 0.03"], plain[:rows].map { |row| row[:variant] }
    assert_equal ["new: sleep 0.02", "new: sleep 0.03"], named[:rows].map { |row| row[:variant] }
    assert_equal "slower", plain[:comparisons].first[:outcome]
    assert_equal [5, 5], plain[:comparisons].first[:runs]
  end

  test "the figures of wrk are those of its output" do
    row = import({ "a.txt" => 1000 }, "a.txt", "--json").json[:rows].first

    assert_in_delta 1000.5, row[:throughput_per_s][:value], 1
    assert_in_delta WRK[/^ +50% +([\d.]+)us/, 1].to_f, row[:latency_ms][:p50] * 1000, 1e-6
    codes = row[:lacks].map { |lack| lack[:code] }
    assert_includes codes, "import_summary"
    assert_includes codes, "import_one_run"
  end

  test "mistakes say what to do" do
    lines = [%w[nothing.txt], %w[a.txt --baseline c], %w[a.txt --format hyperfin],
             %w[a.txt --format oha], %w[a.txt --variants x], []]
    assert_mistakes("import", lines) { |*argv| import({ "a.txt" => 1000 }, *argv) }
  end

  test "names that others chose do not act upon a terminal" do
    times = [0.1, 0.2]
    results = [{ command: "\e[31mred\n::error::x#{'y' * 500}", mean: 0.1, times: }]
    with_files("x.json" => JSON.generate({ results: })) do |folder|
      text, json = [[], %w[--json]].map { |more| mohs("import", "x.json", *more, dir: folder).out }
      refute_match(/\e|^::error/, text)
      assert_operator JSON.parse(json)["rows"][0]["variant"].length, :<=, 100
    end
  end

  test "files that were made to harm end soon, with an error" do
    rsb = JSON.parse(File.read(File.join(FIXTURES, "importers/rsb/rsb_output.json")))
    rsb["requests"]["benchmark"]["latencies"] = [1, 10**12]
    deep = "---\ntype: recorded\na: #{'[' * 90_000}#{']' * 90_000}\n"
    # 300 jobs x 300 contexts x 300 values, of some hundred nodes.
    values = "!x {values: {&m {name: n, unit: u, larger_better: true}: 1}, " \
             "all_values: {*m : &l [#{(['1'] * 300).join(',')}]}}"
    contexts = Array.new(300) { |at| "? {name: c#{at}}\n      : *v\n" }.join("      ")
    jobs = Array.new(300) { |at| "  ? {name: j#{at}}\n  : *w\n" }.join
    bomb = "---\ntype: recorded\nv: &v #{values}\nw: &w\n  false:\n      #{contexts}\n" \
           "job_warmup_context_result:\n#{jobs}"
    times = [0.1] * 100_001
    hyperfine = JSON.generate({ results: [{ command: "a", mean: 1, times: }] })
    [JSON.pretty_generate(rsb), deep, bomb, hyperfine].each do |text|
      with_files("x" => text) do |folder|
        output = mohs("import", "x", dir: folder)
        assert_said(output.err.chomp)
        assert_equal [2, ""], [output.status, output.out]
      end
    end
  end

  test "more variants than can be read are refused" do
    results = Array.new(1001) { |index| { command: "c#{index}", mean: 0.1, times: [0.1] } }
    with_files("x.json" => JSON.generate({ results: })) do |folder|
      assert_match(/1001 variants/,
                   mohs("import", "x.json", dir: folder).err)
    end
  end

  test "a run of mohs is imported alone" do
    with_files("a.txt" => WRK) do |folder|
      File.binwrite(File.join(folder, "x.mohs"), Zlib.gzip("{\"mohs_run\":1}\n"))
      [%w[x.mohs a.txt], %w[x.mohs --variant a], %w[--variant a x.mohs]].each do |argv|
        assert_match(/x\.mohs .*alone/, mohs("import", *argv, dir: folder).err)
      end
    end
  end
end
