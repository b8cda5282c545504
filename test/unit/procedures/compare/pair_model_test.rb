# frozen_string_literal: true

require "test_helper"

# Two variants of a run, beside the analysis that the commands have of them.
class ComparePairModelTest < Mohs::TestCase
  RATES = { "3.1.2" => 1000, "3.4.5" => 1500, "falcon" => 1400 }.freeze

  def run_of(made) = Mohs::Stored.analysis(made)

  def pair(run, a, b) = Mohs::Compare::PairModel.new(run, a, b).document

  def metric(document, name) = document[:metrics].find { |one| one[:name] == name }

  test "each metric is the run's own contrast, with better as bigger" do
    run = run_of(SampleResult.new(RATES).to_h)
    document = pair(run, "falcon", "3.4.5")
    document[:metrics].each do |one|
      metric = Mohs::Analysis::Metric.fetch(one[:name])
      ratio = run.contrast(metric, "falcon", "3.4.5").interval
      expected = [ratio.value, ratio.low, ratio.high]
      expected.map! { |value| 1 / value } unless metric.more

      assert_equal [expected.first, *expected.drop(1).sort], [one[:effect], *one[:interval]]
    end
    assert_equal [3, "falcon", "3.4.5"], document.values_at(:cohorts, :a, :b)
    assert_equal "better", metric(document, "throughput")[:mark]
    assert_equal "equal", metric(document, "memory")[:mark]
    assert_operator document[:basis], :start_with?, "Run #{run.stored.key}: 3 cohorts "
  end

  test "the figures of both are those of their rows" do
    run = run_of(SampleResult.new(RATES).to_h)
    row = Mohs::Report::Model.build(run)[:rows].find { |one| one[:variant] == "3.4.5" }
    document = pair(run, "falcon", "3.4.5")

    assert_equal row[:throughput_per_s][:value], metric(document, "throughput")[:b]
    assert_equal row[:latency_ms][:p50], metric(document, "p50")[:b]
    assert_equal row[:latency_ms][:p99], document[:tail][:b]
  end

  test "of jobs, the figures that people read are of each, and its changes the same" do
    made = SampleResult.new(RATES).to_h
    plain = pair(run_of(made), "falcon", "3.4.5")
    made[:run][:study][:jobs] = Mohs::Study::Jobs.parse(count: 20).to_h
    document = pair(run_of(made), "falcon", "3.4.5")
    section, other = [document, plain].map { |one| Mohs::Compare::Section.new(one).to_section }

    assert_equal plain[:metrics], document[:metrics]
    table = ->(of) { Mohs::Compare::MetricTable.new(of).to_table.rows.map(&:cells) }
    shown, requests = table.call(document), table.call(plain)
    assert_equal ["jobs/s", "CPU a job", "p50", "p99", "memory", "boot", "errors"],
                 shown.map { |cells| cells[:metric].text }
    assert_equal [20, 1 / 20r, 1], [0, 1, 2].map { |index|
      shown[index][:b].value.fdiv(requests[index][:b].value).rationalize(0.001r)
    }
    assert_equal requests.map { |cells| cells[:change] }, shown.map { |cells| cells[:change] }
    names = [section, other].map { |one| one.parts.flat_map { |part| points(part) } }
    assert_equal ["jobs/s", "CPU a job", "requests/s", "CPU a request"],
                 names.flat_map { |all| all.first(2) }
  end

  def points(part) = part.respond_to?(:points) ? part.points.map { |one| one[:name] } : []

  test "at a given rate both serve what falls due, which is no verdict" do
    made = SampleResult.new(RATES).to_h
    made[:run][:study][:variants].each { |one| one[:rate] = 200 if one[:name] == "falcon" }
    rated, other = [%w[falcon 3.4.5], %w[3.1.2 3.4.5]].map { |names| pair(run_of(made), *names) }

    assert_equal %w[cpu p50 memory boot], rated[:metrics].map { |one| one[:name] }
    assert metric(other, "throughput")
  end

  test "after one cohort there is a ratio and no interval" do
    throughput = metric(pair(run_of(SampleResult.new(RATES, rounds: 1).to_h), "falcon", "3.4.5"),
                        "throughput")

    assert_in_delta 1.07, throughput[:effect], 0.05
    assert_equal [nil, nil], throughput.values_at(:interval, :mark)
    assert_match(/too few/, throughput[:missing])
  end

  # A run whose ratios of requests/s and of their totals are these, a cohort each.
  def contrasted(ratios, totals)
    run_of(SampleResult.new(RATES).to_h).tap do |run|
      effect, total = [ratios, totals].map { |all| Mohs::Stats::Effect.of(all.map { Math.log(_1) }) }
      run.define_singleton_method(:contrast) do |metric, *names|
        Mohs::Analysis::Contrast.new(**super(metric, *names).to_h, effect:, total:)
      end
    end
  end

  test "two are equal by the rule of every other comparison: within the margin, pauses included" do
    even, paused = [0.9995, 1.0005, 1.0], [0.95, 0.96, 0.94]
    marks = [even, paused].map do |totals|
      metric(pair(contrasted(even, totals), "falcon", "3.4.5"), "throughput")[:mark]
    end

    assert_equal %w[equal undecided], marks
    less = metric(pair(contrasted(paused, even), "falcon", "3.4.5"), "p50")

    assert_equal ["better", true], [less[:mark], less[:interval].all? { |ratio| ratio > 1 }]
  end

  test "two that were in no cohort together have no ratio" do
    made = SampleResult.new(RATES).to_h
    made[:cohorts].each_with_index do |cohort, at|
      gone = at.zero? ? "falcon" : "3.4.5"
      cohort[:trials].reject! { |trial| trial[:variant] == gone }
    end
    document = pair(run_of(made), "falcon", "3.4.5")

    effect, missing = metric(document, "throughput").values_at(:effect, :missing)
    assert_nil effect
    assert_match(/\Anot known .*cohort\z/, missing)
    assert_equal [0, nil], document.values_at(:cohorts, :explain)
  end

  test "a comparison has its own intervals, in its own order" do
    run = run_of(ExplainedResult.new(b: { gc: 80.0 }).to_h)
    own = Mohs::Report::Model.build(run)
    document = pair(run, "b", "a")

    assert_equal own.values_at(:a, :b, :metrics, :tail), document.values_at(:a, :b, :metrics, :tail)
    assert_equal %w[a b], document[:explain].values_at(:a, :b)
    had = " Run #{run.stored.key}: #{own[:cohorts][:done]} cohorts had both."
    assert_equal own[:sentence] + had, document[:basis]
  end

  test "where the comparison has no verdict the page says so, and nothing is better" do
    grows = ->(slice, _, at, _) { slice[:cpu_ns] = (slice[:cpu_ns] * (1.01**at)).round }
    document = pair(run_of(CompareResult.new([0.051, 0.052, 0.049, 0.05], slice: grows).to_h),
                    "a", "b")
    section = Mohs::Compare::Section.new(document).to_section
    page = Mohs::Report::Html::Markup.write(Mohs::Report::Html::ViewSection.new(section).to_element)

    assert_equal "invalid", document[:verdict][:outcome]
    assert_match(/\ANo verdict/, document[:sentence])
    refute_match(/\] better/, page)
  end

  # A slice in twenty gives one answer in ten, which trimming leaves out.
  test "what pauses is not equal, as in the run's own verdicts" do
    run = pausing
    throughput = metric(pair(run, "3.1.2", "3.4.5"), "throughput")
    row = run.rows.find { |one| one.name == "3.4.5" }

    assert_equal :undecided, run.verdict(row).outcome
    assert_in_delta 1, throughput[:effect], 0.003
    assert_equal "undecided", throughput[:mark]
  end

  def pausing
    made = SampleResult.new({ "3.1.2" => 1000, "3.4.5" => 1000 }, boot_sd: 0.0002, block_sd: 0.0002,
                                                                  rounds: 5).to_h
    trials = made[:cohorts].flat_map { |cohort| cohort[:trials] }
    trials.select { |trial| trial[:variant] == "3.4.5" }.each do |trial|
      slice = trial[:slices].select { |one| one[:block] }[3]
      slice[:good] = slice[:sent] = slice[:good] / 10
    end
    run_of(made)
  end

  test "names that have no figures, and one that is named twice, are refused" do
    run = run_of(SampleResult.new(RATES).to_h)

    assert_raises(Mohs::UsageError) { pair(run, "falcon", "nope") }
    assert_raises(Mohs::UsageError) { pair(run, "falcon", "falcon") }
  end
end
