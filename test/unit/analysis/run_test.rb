# frozen_string_literal: true

require "test_helper"

class AnalysisRunTest < Mohs::TestCase
  RATES = { "a" => 1000, "b" => 1200, "c" => 1199 }.freeze

  def analysis(rates = RATES, **options)
    sample = SampleResult.new(rates, **options)
    result = sample.to_h
    yield result, sample if block_given?
    Mohs::Stored.analysis(result)
  end

  def each_trial(result, &)
    result[:cohorts].flat_map { |cohort| cohort[:trials] }.each(&)
  end

  test "rows are those that the plan holds, the fastest on top, those without figures below" do
    run = analysis do |result, sample|
      result[:run][:study][:variants] << { name: "x", refusal: "no" } << { name: "cut" }
      result[:cohorts].first[:trials] << sample.failed("x")
    end

    assert_equal 4, run.connections
    assert_equal %w[a x], run.rows.map(&:name).last(2)
    assert_equal %w[b c], run.rows.map(&:name).first(2).sort
    assert_equal %w[a b c], run.measured_rows.map(&:name).sort
  end

  test "a variant that is called as rounds that were cut keeps its row" do
    run = analysis({ "a" => 1000, "1 of 4 rounds" => 1200 }) do |result, _|
      result[:cohorts].each { |cohort| cohort[:trials].pop }
      result[:run][:plan][:dropped] << { rounds: 1, of: 4, code: "cut_rounds", values: {} }
    end

    assert_equal ["a", "1 of 4 rounds"], run.rows.map(&:name)
  end

  def on_host(share, *failed)
    analysis do |result|
      against = failed.map { |name| { name:, label: name, level: "warn" } }
      result[:cohorts].each do |cohort|
        cohort[:host] = { foreign_cpu_share: share, against: }
      end
    end
  end

  test "pressure on a host where nothing else ran was that of mohs itself" do
    assert_equal %w[turbo], on_host(0.01, "pressure", "turbo").against.map { |one| one[:name] }
    assert_equal %w[pressure other_processes],
                 on_host(0.3, "pressure", "other_processes").against.map { |one| one[:name] }
  end

  test "memory differs from the baseline's by a megabyte or more, else by nothing" do
    rates = { "a" => 3, "b" => 1, "c" => 1, "d" => 1, "e" => 1 }
    sizes = { "a" => 40_000_000, "b" => 41_000_000, "c" => 40_999_999, "d" => 30_000_000 }
    run = analysis(rates) do |result|
      each_trial(result) do |trial|
        bytes = sizes[trial[:variant]]
        trial[:facts] = { **trial[:facts], memory: bytes && { at_end: { pss_bytes: bytes } } }
      end
    end

    assert_equal({ "a" => nil, "b" => 1_000_000, "c" => nil, "d" => -10_000_000, "e" => nil },
                 run.rows.to_h { |row| [row.name, run.memory_difference_bytes(row)] }.sort.to_h)
    without = analysis do |result, sample|
      result[:cohorts].each { |cohort| cohort[:trials][0] = sample.failed("a") }
      result[:run][:study][:baseline_named] = true
    end
    assert_equal [nil], without.rows.map { |row| without.memory_difference_bytes(row) }.uniq
  end

  # b: by how much its memory differs, as a share; sd: of a boot's logarithm.
  def memory_differences(b: 0.0, sd: 0.005, rounds: 3, runs: 60, base: 290e6)
    noise = Noise.new(5)
    Array.new(runs) do |seed|
      run = analysis(%w[a b c d].to_h { |name| [name, 1000] }, rounds:, seed:) do |result|
        each_trial(result) do |trial|
          own = trial[:variant] == "b" ? 1 + b : 1
          bytes = (base * own * Math.exp(sd * noise.normal)).round
          trial[:facts] = { **trial[:facts], memory: { at_end: { pss_bytes: bytes } } }
        end
      end
      run.memory_difference_bytes(run.rows.find { |row| row.name == "b" })
    end
  end

  test "memory differs only beyond what boots vary by" do
    assert_operator memory_differences.count(&:itself), :<=, 3
    assert_equal 60, memory_differences(b: 0.1).count { |bytes| bytes&.between?(25e6, 33e6) }
  end

  test "fewer than three rounds say nothing of memory" do
    assert_equal [nil], memory_differences(b: 0.5, rounds: 2, runs: 3).uniq
  end

  test "of a comparison memory differs as its own row says" do
    found = [1.0, 1.2].map do |factor|
      more = lambda do |trial, name, _|
        bytes = (290e6 * (name == "b" ? factor : 1)).round + trial[:ordinal]
        trial[:facts] = { **trial[:facts], memory: { at_end: { pss_bytes: bytes } } }
      end
      run = Mohs::Stored.analysis(CompareResult.new([0.1, 0.11, 0.09], trial: more).to_h)
      run.memory_difference_bytes(run.rows.find { |row| row.name == "b" })
    end

    assert_nil found.first
    assert_in_delta 58e6, found.last, 1e3
  end

  test "each row has one verdict, however often it is asked for" do
    run = analysis
    verdicts = run.rows.to_h { |row| [row.name, run.verdict(row)] }

    assert_equal({ "a" => :baseline, "b" => :faster, "c" => :faster },
                 verdicts.transform_values(&:outcome).sort.to_h)
    run.rows.each { |row| assert_same verdicts[row.name], run.verdict(row) }
  end

  test "what has no figures has no verdict, and says so" do
    run = analysis do |result, sample|
      result[:cohorts].each { |cohort| cohort[:trials][1] = sample.failed("b") }
    end
    verdict = run.verdict(run.rows.last)

    assert_equal [:invalid, "a"], [verdict.outcome, verdict.against]
    assert_equal [["no_figures", "b", { variant: "b", state: "refused" }]],
                 verdict.findings.map { |one| [one.code, one.subject, one.values] }
  end

  test "answers that are wrong everywhere, or invalid for another reason, are nobody's own" do
    [%w[a b c], %w[]].each do |wrong|
      run = analysis do |result, _|
        each_trial(result) do |trial|
          code = wrong.include?(trial[:variant]) ? "answers.shared_state" : "jit.changed"
          check = { name: code[/\w+/], ok: false, level: "invalid", code:, values: {} }
          trial.merge!(state: "invalid", slices: [], facts: trial[:facts].merge(checks: [check]))
        end
      end

      assert_equal [nil, wrong.sort],
                   [run.wrong_answers, run.rows.select(&:wrong_answers?).map(&:name).sort]
    end
  end

  test "those that can't be told apart share a mark" do
    run = analysis

    assert_equal [%w[b c]], run.groups.map(&:sort)
    assert_equal({ "b" => "a", "c" => "a" }, run.marks.sort.to_h)
    assert_empty analysis(rounds: 1).groups, "too few rounds tell nobody apart"
  end

  test "five are judged by one spread, three by their own, and the result says which" do
    five = analysis("abcde".chars.to_h { |name| [name, 1000] }, rounds: 4)
    three = analysis

    assert_equal ["pooled", 12, 0.0125, %w[c]],
                 five.inference.to_h.values_at(:spread, :degrees, :alpha, :apart)
    assert_equal ["separate", nil, 0.025], three.inference.to_h.values_at(:spread, :degrees, :alpha)
    assert_nil analysis(rounds: 2).inference.spread
    assert_nil Mohs::Stored.analysis(CompareResult.new([0.1, 0.11, 0.09]).to_h).inference
  end

  test "a run that has not finished allows for having been ended by what it showed" do
    wide, narrow = %w[interrupted finished].map do |state|
      analysis({ "a" => 1000, "b" => 1010 }) { |result, _| result[:run][:state] = state }
    end

    assert_equal [0.00133, 0.05], [wide, narrow].map { |run| run.inference.alpha.round(9) }
    verdicts = [wide, narrow].map { |run| run.verdict(run.rows.find { |row| row.name == "b" }) }
    assert_operator(*verdicts.map { |one| one.high / one.low }.insert(1, :>))
  end

  test "noise is the mean over cohorts; what spoke against half of them or more speaks" do
    checks = [{ name: "steal", label: "steal", level: "warn" }, { name: "swap", label: "swap" }]
    run = analysis do |result, _|
      hosts = [{ steal_share: 0.1, against: checks },
               { steal_share: 0.3, against: checks.first(1) }, { steal_share: 0.2, against: [] }]
      result[:cohorts].zip(hosts) { |cohort, host| cohort[:host] = host }
    end

    assert_in_delta 0.2, run.noise[:steal_share]
    assert_equal %w[steal], run.against.map { |check| check[:name] }
    assert_empty analysis { |result, _| result[:cohorts].each { |one| one[:host] = nil } }.against
  end

  test "what the figures speak of: connections, cores, rounds" do
    run = analysis do |result, _|
      each_trial(result) { |trial| trial[:facts] = trial[:facts].merge(cores: 2) }
      result[:cohorts].each { |cohort| cohort[:host] = { apart: true } }
      result[:cohorts].last[:state] = "queued"
    end

    assert_equal [4, { each: 2, apart: true }, { planned: 3, done: 2, closer: 8 }],
                 [run.connections, run.cores, run.rounds]
    half = analysis { |result, sample| result[:cohorts] << sample.cohort(3).merge(state: "queued") }
    assert_equal({ planned: 3, done: 2, closer: 8 }, half.rounds)
    assert_nil analysis.cores
    last = analysis do |result, _|
      each_trial(result) { |trial| trial[:facts] = trial[:facts].merge(cores: 1) }
      result[:cohorts].zip([true, false, nil]) { |cohort, apart| cohort[:host] = { apart: } }
    end
    assert_equal({ each: 1, apart: false }, last.cores, "the last of which it is known")
  end

  test "a baseline that another stands in for never booted, or answered and was not measured" do
    found = [nil, 300_000_000].map do |boot_ns|
      run = analysis do |result, sample|
        failed = sample.failed("a").merge(boot_ns:)
        result[:cohorts].each { |cohort| cohort[:trials][0] = failed }
      end
      run.baseline_missing
    end

    assert_equal %w[baseline_not_booted baseline_not_measured], found.map(&:code)
    assert_equal ["a", { declared: "a", instead: "b" }], found.last.then { [_1.subject, _1.values] }
    assert_nil analysis.baseline_missing
  end

  test "fewer threads than connections are a crowd, by what the servers attest" do
    assert_nil analysis.crowding
    run = analysis do |result, _|
      each_trial(result) do |trial|
        attested = SampleResult::ATTESTED.merge(threads: trial[:variant] == "b" ? 2 : 5)
        trial[:facts] = trial[:facts].merge(attested:)
      end
    end

    assert_equal({ connections: 4, threads: [2], variants: %w[b] },
                 run.crowding.values)
  end

  test "streams are no crowd: no thread is due to each of them" do
    run = analysis do |result, _|
      result[:run][:study][:streams] = Mohs::Study::Streams.new.to_h
      each_trial(result) do |trial|
        trial[:facts] = trial[:facts].merge(attested: SampleResult::ATTESTED.merge(threads: 2))
      end
    end

    assert_nil run.crowding
  end

  test "variants with different numbers of connections share none, and each has its own crowd" do
    run = analysis do |result, _|
      each_trial(result) do |trial|
        asked = trial[:variant] == "b" ? 6 : 1
        attested = SampleResult::ATTESTED.merge(workers: 1, threads: 5)
        trial[:facts] = trial[:facts].merge(attested:, connections: { asked:, opened: asked })
      end
    end

    assert_equal [4, nil], [analysis.connections, run.connections]
    assert_equal({ connections: 6, threads: [5], variants: %w[b] },
                 run.crowding.values)
  end

  test "answers and notes are those of measured trials, each once" do
    run = analysis do |result, sample|
      exposed, silent = %w[nginx thruster].map do |front|
        { code: "front_exposed", values: { front: } }
      end
      each_trial(result) { |trial| trial[:facts] = trial[:facts].merge(notes: [exposed]) }
      failed = sample.failed("a").merge(facts: { notes: [silent] })
      result[:cohorts].first[:trials] << failed
    end

    assert_equal [["GET /"], [{ front: "nginx" }]],
                 [run.answers.map(&:request), run.notes.map(&:values)]
  end

  test "a run of two that are compared has their comparison, and its verdict for the second" do
    run = Mohs::Stored.analysis(CompareResult.new([0.1, 0.11, 0.09]).to_h)
    row = run.rows.find { |one| one.name == "b" }

    assert_same run.result.verdict, run.verdict(row)
    assert_equal [true, false], [run, analysis].map { |one| one.inference.nil? }
  end

  # The servers' own slices are the same; boots differ, which is what the verdicts divide by.
  test "whether a run is adjusted does not depend on how far boots differ" do
    run = Mohs::Stored.run(SampleResult.new({ "a" => 1000.0, "b" => 1000.0 }).to_h)
    host = CoreSpeedNoise.new(0, restless: 1)
    measured = Array.new(3) { |position| host.cohort(position) }
    chosen = Array.new(30) do |seed|
      noise = Noise.new(seed)
      cohorts = measured.map { |cohort| CoreSpeedNoise.rebooted(cohort, noise) }
      found = Mohs::Analysis::Run.new(run.with(cohorts:))
      found.cohorts.first.trials.first.slices.all?(&:at_pace)
    end

    assert_equal [true], chosen.uniq
  end

  test "under a given rate a variant serves what falls due: that is no verdict" do
    hash = SampleResult.new({ "closed" => 1000.0, "rated" => 200.0, "other" => 1100.0 }).to_h
    hash[:run][:study][:variants].each { |one| one[:rate] = 200 if one[:name] == "rated" }
    run = Mohs::Stored.analysis(hash)
    verdicts = run.rows.to_h { |row| [row.name, run.verdict(row)] }

    assert_equal %i[invalid faster], verdicts.values_at("rated", "other").map(&:outcome)
    assert_equal ["rate_given"], verdicts["rated"].findings.map(&:code)
    assert_includes Mohs::Report::Render.verdict(verdicts["rated"])[:reasons].first, "p99"
  end
end
