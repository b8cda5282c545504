# frozen_string_literal: true

require "test_helper"

class TuneScreenTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-tunings"

  SPEEDS = { "yours" => 1000.0, "1x1" => 700.0, "2x3" => 1300.0, "2x5" => 1295.0 }.freeze
  SEARCHED = { "yours" => 700.0, "2x3" => 900.0, "2x5" => 905.0 }.freeze
  MEMORY = { "yours" => 270, "2x3" => 400, "2x5" => 431 }.freeze

  def document(searched: SEARCHED, memory: {}, **options)
    left_out = %w[3x1 3x5 5x1].map do |name|
      { name:, code: "more_processes_than_cores", values: { processes: name.to_i, cores: 2 } }
    end
    made = SampleTuning.new(SPEEDS, shapes: { "yours" => [1, 5] }, rounds: 6, searched:, left_out:,
                                    **options).to_h
    megabytes = { **MEMORY, **memory }
    made[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
      tree_bytes = megabytes.fetch(trial[:variant], 250) * 1_000_000
      trial[:facts] = { **trial[:facts], memory: { at_end: { tree_bytes: } } }
    end
    yield made if block_given?
    Mohs::Stored.document(made)
  end

  def setting_of(document, name) = document[:settings].find { |one| one[:name] == name }

  def screen(document, width: 80)
    style = Mohs::Report::Terminal::Style.new(width:)
    Mohs::Report::Terminal.new(style:).call(document)
  end

  test "the answer, the settings, their frontier, why, and what to write" do
    text = screen(document)

    assert_operator text.lines.map { |line| line.chomp.length }.max, :<=, 80, text
    assert_golden("tune-decided", text)
  end

  test "a setting that is preferred to one that serves more has a reason, and no other" do
    near, kept = [%w[2x3 2x5], %w[yours 2x3]].map do |pick, most|
      { searched: { "yours" => 700.0, "2x5" => 600.0, pick => SampleTuning.found(900.0),
                    most => SampleTuning.found(915.0) } }
    end
    [[near, {}], [near, { "2x5" => 460 }], [kept, { "yours" => 410 }]].each do |options, memory|
      made = document(memory:, **options)
      assert_said(made[:recommendation][:reason])
      assert_match(/^why +#{made[:recommendation][:reason][0, 20]}/, screen(made))
    end
    [{ searched: { **SEARCHED, "2x3" => 950.0 } }, { wanted_per_s: 300 }].each do |options|
      refute_match(/^why +2x5 serves/, screen(document(**options)))
    end
  end

  test "what the present setting's file sets is said to be the same" do
    searched = SEARCHED.except("2x5")
    same = document(searched:, shapes: { "yours" => [nil, nil] }) do |made|
      trials = made[:cohorts].flat_map { |one| one[:trials] }
      trials.select { |one| one[:variant] == "yours" }.each do |trial|
        trial[:facts] = { **trial[:facts], attested: { workers: 2, threads: 5 } }
      end
    end

    assert_equal "same", setting_of(same, "2x5")[:state]
    assert_said(screen(same)[/^same .*$/])
  end

  test "settings that failed of the same cause share a line, in the words of the first" do
    made = document do |hash|
      { "2x3" => 3, "2x5" => 7 }.each do |name, count|
        summary = "#{count} late"
        parts = { summary:, code: "no_right_answers", values: { errors: %w[timeout] } }
        hash[:cohorts].last[:trials].find { |trial| trial[:variant] == name }
                      .update(state: "failed", reason: summary, facts: { reason_parts: parts })
      end
    end

    assert_match(/^why +2x3, 2x5: 3 late$/, screen(made))
    failed = made[:settings].select { |one| one[:state] == "failed" }
    assert_equal [{ code: "no_right_answers", values: { errors: %w[timeout] } }],
                 failed.map { |one| one[:cause] }.uniq
  end

  test "from three times on it says how many times" do
    assert_said(document(searched: { **SEARCHED, "yours" => 100.0 })[:sentence])
  end

  test "the present setting, where nothing serves more" do
    made = document(searched: { "yours" => 900.0 })

    assert_said(made[:sentence])
    refute_match(/^to use/, screen(made))
  end

  test "a gain that may be chance is undecided, in the answer, the table and the file" do
    sure, unsure = document, document(searches: 1)
    assert_golden("tune-one-boot", screen(unsure))
    assert_equal [true, false], [sure, unsure].map { |one| one[:recommendation][:sure] }
    assert_said(paragraph(unsure[:recommendation][:to_use][:text], "# mohs"))
    refute_includes sure[:recommendation][:to_use][:text], "chance"
  end

  test "where searches decide nothing, what the race decided is said" do
    found = document(searched: { "yours" => 700.0, "2x3" => 900.0, "2x5" => 600.0 }, searches: 5,
                     search_sd: 0.14)
    present = found[:rows].find { |row| row[:baseline] }[:throughput_per_s]

    assert_said(found[:sentence])
    assert_includes found[:sentence], "above #{Mohs::Report::Numbers.figure(present[:high])} "
  end

  test "an undecided gain says to keep the present setting, and what would decide" do
    rates = { "yours" => 700.0, "2x3" => 900.0, "2x5" => 600.0 }
    open = { searched: rates, searches: 5, search_sd: 0.14 }
    made = document(**open) do |hash|
      argv = ["--limit", "p99 < 200 ms", "--budget=20m", "--settings", "2x3,2x5", "--check",
              "--get", "/posts", "--price", "1,2", "--variant", "3.4.5", "--write", "f"]
      hash[:run] = { **hash[:run], provenance: Mohs::Typed.provenance(*argv, command: "tune") }
    end
    assert_said(made[:sentence], made[:next].first[:what])
    command = 'mohs tune --limit "p99 < 200 ms" --get /posts --price 1,2 --variant 3.4.5 ' \
              "--settings 2x3 --budget"
    assert_match(/\A#{command} \d+m\z/, made[:next].first[:command])
    assert_empty document[:next], "it is decided"
    assert_empty document(searches: 1)[:next], "one boot shows no spread"
    assert_empty document(**open) { |hash| hash[:run][:state] = "running" }[:next]
    unknown = document(**open) { |hash| hash[:run][:provenance] = { argv: %w[--limit 7] } }
    assert_empty unknown[:next], "nobody knows what the next command needs"
    several = document(**open) do |hash|
      hash[:run][:study][:variants].last[:flags] = %w[--yjit]
    end
    assert_empty several[:next], "--settings would take those of each variant"
  end

  test "a Rails application's environment is written into the server's file, too" do
    made = document do |hash|
      hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
        attested = { **trial[:facts][:attested], rails: { version: "8.0.2" } }
        trial[:facts] = { **trial[:facts], attested: }
      end
    end
    use = made[:recommendation][:to_use]

    assert_equal({ "RAILS_MAX_THREADS" => "3" }, use[:env])
    assert_said(use[:text].chomp)
    assert_match(/^preload +measured without /, screen(made))
    short = SampleTuning.found(900.0, searched_s: 10.0, needed_s: 100.0)
    assert_said(document(searched: { "yours" => 700.0, "2x3" => short })
                  .dig(:recommendation, :to_use, :text).chomp)
  end

  test "settings that are preloaded unlike the present one are a caution" do
    told = lambda do |present|
      made = document do |hash|
        hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
          preload = trial[:variant] == "yours" ? present : !present
          trial[:facts] = { **trial[:facts], attested: { **trial[:facts][:attested], preload: } }
        end
      end
      made[:warnings].select { |one| one[:code] == "tune_preload_differs" }
    end

    warnings = [true, false].flat_map { |present| told.(present) }
    assert_equal 2, warnings.size
    warnings.each { |one| assert_said(one[:text]) }
  end

  test "until all planned boots are done the answer is not final" do
    made = document(searches: 3, open_searches: 2)

    assert_said(made[:sentence])
    assert_equal [false, [3, 5]], made[:recommendation].values_at(:sure, :boots_so_far)
    assert_match(/^2x3 .* <- undecided$/, screen(made))
    assert_said(document(searches: 0, open_searches: 5)[:sentence])
    wanted = document(searches: 3, open_searches: 2, wanted_per_s: 300.0)
    assert_said(wanted[:sentence])
    assert_equal [false, false],
                 ([made, wanted].map { |one| one[:recommendation][:keep_present] })
    assert_said(made[:recommendation][:to_use][:text].chomp)
  end

  test "as many requests with clearly less memory are worth a change, and no memory to keep" do
    open = { searched: { **SEARCHED, "yours" => 680.0 }, searches: 5, search_sd: 0.18 }
    small = document(**open, memory: { "yours" => 600 })
    large = document(**open, memory: { "yours" => 600 }, memory_bytes: 500_000_000)
    [small, large].each { |made| assert_said(made[:sentence]) }
    near = document(searched: { "yours" => 900.0, "2x3" => 897.0 }, memory: { "yours" => 600 },
                    search_sd: 0.002)

    assert_said(near[:sentence])
    assert near[:recommendation][:sure]
    some = { searched: { "yours" => 700.0, "2x3" => 720.0 }, searches: 5, search_sd: 0.04 }
    spares, open = [{ "yours" => 600 }, {}].map do |memory|
      document(**some, memory:) do |hash|
        hash[:run][:provenance] = Mohs::Typed.provenance("--limit", "p99 < 200 ms", command: "tune")
      end
    end
    assert_includes 0.97..1, spares[:recommendation][:interval].first
    assert_equal [[true, 0], [false, 1]],
                 ([spares, open].map { |one| [one[:recommendation][:sure], one[:next].size] })
  end

  # What is said of the exit status; nil: nothing is.
  def check_of(document) = remark_of(document, "check")

  def remark_of(document, name)
    Mohs::Report::Views.of(document).remarks.find { |one| one.name == name }&.text
  end

  test "under --check the screen says what the exit status does" do
    checked = document
    checked[:check] = true
    few = document(searches: 1)
    few[:check] = true

    [checked, { **checked, present_is_best: true }, few].each { |made| assert_said(check_of(made)) }
    bound = document(searched: { "yours" => 885.0, "2x3" => SampleTuning.bound(900.0) })
    early = document(searches: 3, open_searches: 2)
    [bound, early].each do |open|
      open[:check] = true
      assert_said(check_of(open))
    end
    assert_nil check_of(document)
  end

  test "under --check a present setting that is too dear is not called worse" do
    rated, large = [{ wanted_per_s: 300 }, {}].map do |rules|
      document(**rules).tap { |made| made[:check] = true }
    end
    why = { present_unknown: "a search gave no rate" }
    [true, false, nil].each do |best|
      assert_said(check_of({ **rated, **why, present_is_best: best }))
    end
    settings = large[:settings].map { |one| { **one, fits: !one[:present] } }
    assert_said(check_of({ **large, settings:, present_is_best: false }))
  end

  test "a setting that is left but was not searched has its reason" do
    made = document(searched: SEARCHED.except("2x5"))

    assert_match(/^2x5 +not searched +1 \d{3} \[/, screen(made, width: 100))
    assert_said(remark_of(made, "left"))
    assert_nil remark_of(document, "left")
  end

  test "a step whose interval says nothing has none" do
    made = document
    steps = made[:steps].map { |one| { **one, interval: [0.02, 12.0] } }

    assert_said(remark_of({ **made, steps: }, "beside"))
  end

  test "a gain of a rate that is only a bound is one, too" do
    least = SampleTuning.bound(900.0)
    said = lambda do |present, **options|
      document(searched: { "yours" => present, "2x3" => least }, **options)[:sentence]
    end

    [700.0, 200.0, 895.0].each { |present| assert_said(said.(present)) }
    assert_said(said.(700.0, searches: 3, open_searches: 2))
    assert_said(said.(700.0, searches: 2))
  end

  test "a bound that is found on one boot of five lowers what the setting gains at least" do
    found = [1000.0, 1000.0, 1000.0, 1000.0, SampleTuning.bound(560.0)]
    mixed = document(searched: { "yours" => 700.0, "2x3" => found }, searches: 5)
    low = setting_of(mixed, "2x3")[:rate_per_s][:low]

    assert_said(mixed[:sentence])
    assert_includes mixed[:sentence], "[#{low.round}, ∞)"
    assert_operator low, :<, 700
  end

  test "a present setting whose rate is only a bound is kept, with the reason" do
    bound = document(searched: { "yours" => SampleTuning.bound(700.0), "2x3" => 900.0 })
    bound[:check] = true

    assert_said(bound[:sentence], check_of(bound))
  end

  test "another setting whose rate is only a bound may serve more than the recommended one" do
    cheap = { memory: { "yours" => 400, "2x3" => 900 } }
    kept = document(searched: { "yours" => 915.0, "2x3" => SampleTuning.bound(900.0) }, **cheap)
    kept[:check] = true

    assert_said(kept[:sentence], check_of(kept))
    refute kept[:recommendation][:sure]
    own = document(searched: { "yours" => SampleTuning.bound(900.0), "2x3" => 700.0 })
    assert_equal [true, []], own.values_at(:present_is_best, :warnings)
    assert_said(own[:sentence])
    enough = document(searched: { "yours" => 500.0, "2x3" => SampleTuning.bound(390.0) },
                      wanted_per_s: 400.0)
    codes = [kept, enough].map { |made| made[:warnings].map { |one| one[:code] } }
    assert_equal [true, false], (codes.map { |all| all.include?("tune_open_rates") })
    assert_said(kept[:warnings].find { |one| one[:code] == "tune_open_rates" }[:text])
  end

  test "a search without a rate is named as the reason why nothing is known" do
    none, undecided = [12.0, nil].zip(%w[none undecided]).map do |rate_per_s, outcome|
      SampleTuning.found(900.0, outcome:, rate_per_s:, low: nil, high: nil, beyond_share: nil)
    end
    found = [900.0, 910.0, undecided, 905.0, 900.0]
    made = document(searched: { "yours" => 700.0, "2x3" => found }, searches: 5)

    assert_said(made[:sentence])
    assert_nil made[:present_is_best]
    assert_includes made[:sentence], "(#{made[:present_unknown]})"
    unusable = document(searched: { "yours" => none, "2x3" => 900.0 }, searches: 2)
    assert_said(unusable[:sentence])
  end

  test "with a wanted rate the bound of another setting is no reason why yours is unknown" do
    yours = [380.0, 420.0, 400.0, 390.0, 415.0]

    [yours, SampleTuning.bound(390.0)].each do |found|
      made = document(searched: { "yours" => found, "2x3" => SampleTuning.bound(500.0) },
                      searches: 5, wanted_per_s: 398.0)
      assert_equal ["2x3", nil], [made[:recommendation][:name], made[:present_is_best]]
      assert_said(made[:present_unknown])
    end
  end

  test "that no setting serves the wanted rate is said of all, or is not certain" do
    open = [280.0, 470.0, 370.0, 500.0, 280.0]
    never, unsure = [300.0, open].map do |rate|
      document(searched: { "yours" => 383.0, "2x3" => rate }, searches: 5, wanted_per_s: 400.0)
    end

    [never, unsure].each { |made| assert_said(made[:sentence]) }
    assert_match(/<- serves most$/, screen(never))
    assert_match(/<- undecided$/, screen(unsure))
  end

  test "where a rate is a bound so are its cost and what the file says" do
    price = { core_hour: 0.04, gb_hour: 0.005 }
    searched = { "yours" => 700.0, "2x3" => SampleTuning.bound(900.0) }
    made = document(searched:, price:) do |all|
      all[:cohorts].flat_map { |one| one[:trials] }.each { |trial| trial[:facts][:cores] = 2 }
    end

    assert_match(/^2x3 .* at most 0\.0\d+ +/, screen(made))
    assert_said(made[:recommendation][:to_use][:text].chomp)
  end

  test "a limit that held nowhere" do
    none = SampleTuning.found(12.0, outcome: "none", beyond_share: nil)
    made = document(searched: { "yours" => none, "2x3" => none })

    assert_said(made[:sentence])
    assert_match(/^2x3 +none /, screen(made))
  end

  test "a search that gave no rate is called that, with why" do
    spoiled = SampleTuning.found(12.0, outcome: "spoiled", rate_per_s: nil, low: nil, high: nil,
                                       beyond_share: nil)
    made = document(searched: { "yours" => spoiled, "2x3" => spoiled })

    assert_said(made[:sentence], setting_of(made, "2x3")[:reason])
    assert_said(paragraph(screen(made), "2x3"))
    assert_empty made[:warnings]
  end

  test "a limit that held on some boots did so: only not on every one" do
    none = SampleTuning.found(12.0, outcome: "none", beyond_share: nil)
    made = document do |hash|
      hash[:cohorts].last[:trials].each { |trial| trial[:facts] = { **trial[:facts], found: none } }
    end

    assert_said(made[:sentence])
  end

  test "where none fits into the memory, that is the answer, and no limit that held nowhere" do
    made = document(memory_bytes: 100_000_000)

    assert_said(made[:sentence], setting_of(made, "2x3")[:reason])
  end

  test "a setting that was raced no further for its memory says so" do
    made = document(searched: { "yours" => 700.0 }, memory_bytes: 410_000_000)

    assert_said(setting_of(made, "2x5")[:reason])
  end

  test "before the searches it says which leads, and what each serves with all threads busy" do
    text = screen(document(searched: {}) { |hash| hash[:run][:state] = "interrupted" })

    assert_golden("tune-raced", text)
  end

  test "once a few settings have opened the race it says what they serve, with an interval" do
    made = SampleTuning.new(SPEEDS, shapes: { "yours" => [1, 5] }, rounds: 0,
                                    opening: %w[yours 2x3 2x5]).to_h

    assert_said(Mohs::Stored.document(made)[:sentence])
  end

  test "the first boots have an interval of their own, and the line says so" do
    openings = { rounds: 0, opening: %w[yours 2x3] }
    [1, 2].each do |count|
      made = SampleTuning.new(SPEEDS, **openings, openings: count).to_h
      assert_said(Mohs::Stored.document(made)[:sentence])
    end
    racing = document(rounds: 1, searched: {}) { |hash| hash[:run][:state] = "interrupted" }
    assert_said(racing[:sentence])
  end

  test "beyond their rates settings answered some of what they were offered" do
    settings = [{ name: "2x2", rate: 100.0, share: 1.0, collapses: false },
                { name: "2x3", rate: 1200.0, share: 0.3, collapses: true }]

    assert_said(Mohs::Report::Render.text("tune_beyond", times: 1.5, settings:))
  end

  test "a setting that collapses, and prices" do
    searched = { "yours" => SampleTuning.found(700.0, beyond_share: 0.3), "2x3" => 900.0 }
    text = screen(document(searched:, price: { core_hour: 0.04, gb_hour: 0.005 }) do |hash|
      hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
        trial[:facts] = { **trial[:facts], cores: 2 }
      end
    end)

    assert_match(/at 1\.5 times their rates: .*yours \(1x5\) collapsed to 210 of 1.050/,
                 text.split.join(" "))
    assert_includes text, "per million"
    assert_match(/400 MB +0\.0\d+/, text)
    assert_match(/^columns +no room for .*boot in 80 columns/m, text)
  end

  def threads(speeds, **options)
    made = SampleTuning.new(speeds, shapes: { "yours" => [1, 5] }, rounds: 6, **options)
    screen(Mohs::Stored.document(made.to_h)).split.join(" ")
  end

  test "a setting that needs more memory than it may says so, and the cores of a quota are told" do
    cgroup = { cores: 1.5, memory_bytes: 300_000_000, processes: 1 }
    made = document(cgroup:)

    assert_said(paragraph(screen(made), "why       2x3"))
    assert_said(made[:sentence])
    assert_said(made[:cgroup][:text])
    assert_equal({ "2x3" => false, "yours" => true },
                 made[:settings].to_h { |one| one.values_at(:name, :fits) }.slice("2x3", "yours"))
    assert_said(paragraph(screen(document(memory_bytes: 300_000_000)), "why       2x3"))
  end

  test "processes beyond a quota are left out by it" do
    text = screen(document do |hash|
      hash[:run][:study][:tuning] = { **hash[:run][:study][:tuning], left_out: [
        { name: "2x5", code: "more_processes_than_quota", values: { processes: 2, cores: 1.5 } },
      ] }
    end)

    assert_said(paragraph(text, "left out"))
  end

  # The sentence below the first line.
  def answer(**options)
    screen(document(**options)).split("\n\n").first.lines.drop(1).join.split.join(" ")
  end

  test "where a rate is wanted it says which setting is enough, and whether yours is" do
    fast = { "yours" => 700.0, "2x3" => 900.0, "2x5" => 1100.0 }
    text = answer(searched: fast, wanted_per_s: 850.0)
    assert_said(text)
    text = answer(searched: fast.merge("2x3" => 400.0), wanted_per_s: 650.5)
    assert_said(text)
  end

  test "a present setting that needs more memory for as much is told, and one that may do" do
    enough = { "yours" => 900.0, "2x3" => 900.0 }
    heavy = lambda do |hash|
      hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
        next unless trial[:variant] == "yours"

        trial[:facts] = { **trial[:facts], memory: { at_end: { tree_bytes: 700_000_000 } } }
      end
    end
    made = document(searched: enough, wanted_per_s: 800.0, &heavy)
    assert_said(made[:sentence])
    made = document(searched: { **enough, "yours" => 805.0 }, wanted_per_s: 800.0, &heavy)
    assert_said(made[:sentence])
  end

  test "where one boot seems to be enough for the wanted rate, it is undecided" do
    text = answer(wanted_per_s: 600.0, searches: 1)
    assert_said(text)
    assert_match(/<- undecided$/, screen(document(wanted_per_s: 600.0, searches: 1)))
    short = SampleTuning.found(900.0, searched_s: 10.0, needed_s: 100.0)
    text = answer(wanted_per_s: 600.0, searched: { "yours" => short, "2x3" => 500.0 })
    assert_said(text)
    made = document(wanted_per_s: 600.0, searched: { "yours" => 900.0 }) do |run|
      trials = run[:cohorts].flat_map { |one| one[:trials] }.select { _1[:facts].key?(:found) }
      trials.zip([640.0, 900.0, 1300.0]) do |trial, rate|
        trial[:facts] = { **trial[:facts], found: SampleTuning.found(rate) }
      end
    end
    assert_said(made[:sentence])
  end

  test "where no setting surely serves the wanted rate the fastest is named" do
    text = answer(wanted_per_s: 5000.0)
    assert_said(text)
    text = answer(searched: { "yours" => 700.0, "2x3" => 900.0 }, wanted_per_s: 901.0)
    assert_said(text)
    assert_match(/<- serves most$/, screen(document(wanted_per_s: 5000.0)))
  end

  test "what one step beside the recommended setting serves, within the limit and in the race" do
    speeds = { **SPEEDS, "2x2" => 1250.0, "2x5" => 1100.0, "1x3" => 800.0 }
    text = threads(speeds, searched: { **SEARCHED.except("2x5"), "2x2" => 850.0 })

    assert_match(/beside 2x2 serves \d(\.\d)? % less \[[^\]]+\][^;]*; with all/, text)
    assert_match(/ 1x3 serves 3\d % less \[\d\d, \d\d\], 2x5 serves 1\d % less \[/, text)
  end

  test "a step to where the limit held at no rate says so; without steps nothing is said" do
    none = SampleTuning.found(12.0, outcome: "none", beyond_share: nil)
    made = document(searched: { **SEARCHED, "2x5" => none })

    assert_said(remark_of(made, "beside"))
    refute_includes threads(SPEEDS, searched: {}), "beside"
  end

  test "rates by threads stand beside what was predicted" do
    speeds = { **SPEEDS, "2x1" => 1000.0, "2x2" => 1200.0, "2x5" => 1100.0 }
    made = SampleTuning.new(speeds, shapes: { "yours" => [1, 5] }, rounds: 6, searched: SEARCHED)
    text = screen(Mohs::Stored.document(made.to_h))

    assert_said(paragraph(text, "why       2 processes"))
  end

  test "without one thread alone nothing is predicted" do
    speeds = { "yours" => 1800.0, "1x2" => 1300.0, "1x3" => 1500.0, "1x8" => 2000.0 }
    text = threads(speeds, searched: { "yours" => 700.0, "1x8" => 900.0 })

    assert_includes text, "1 process with 2, 3, 5, 8 threads each: "
    refute_includes text, "predicted"
  end

  test "of fewer than three numbers of threads nothing is said" do
    refute_includes screen(document), "threads each"
    assert_nil document[:scaling]
  end

  test "while it goes on each round says which leads, and then what is searched" do
    made = SampleTuning.new(SPEEDS, shapes: { "yours" => [1, 5] }, rounds: 6, searched: SEARCHED)
    run = made.run
    out = StringIO.new
    style = Mohs::Report::Terminal::Style.new(width: 80)
    progress = Mohs::Report::Terminal::LineProgress.new(out, style:)
    progress.call(:plan, { plan: first(run.plan, 1), study: run.study })
    progress.call(:cohort_started, { cohort: 0, round: 1, variants: SPEEDS.keys })
    2.times { progress.call(:cohort_finished, { cohort: 0, document: document(searched: {}) }) }
    progress.call(:plan_changed, { plan: run.plan })
    progress.call(:cohort_started, { cohort: 7, round: 8, variants: SEARCHED.keys })

    assert_match(/^4 settings, p99 < 200 ms, about 10 min · now: yours$/, out.string)
    assert_said(paragraph(out.string, "up to"))
    assert_match(/^race, round 1 · yours · 1x1 · 2x3 · 2x5 · 10:00 left$/, out.string)
    assert_said(paragraph(out.string, "so far:"))
    assert_said(paragraph(out.string, "now"))
    assert_match(/^search, boot 2 of 3 · yours · 2x3 · 2x5 · /, out.string)
  end

  test "a live line says whose highest rate is searched" do
    run, out = SampleTuning.new(SPEEDS).run, StringIO.new
    style = Mohs::Report::Terminal::Style.new(width: 100)
    progress = Mohs::Report::Terminal::LiveProgress.new(out, style:)
    progress.call(:plan, { plan: run.plan, study: run.study })
    progress.call(:trial, { variant: "2x3", stage: :last_load })
    progress.close

    assert_said(paragraph(out.string, "2x3"))
  end

  test "rates from the model of a queue are told as such, with what they follow from" do
    made = document(searched: {}, budget_s: 130, rounds: 6)
    text = screen(made)

    assert_said(made[:sentence], paragraph(text, "why       a search"))
    refute_includes text, "--budget"
    assert_includes made[:recommendation][:to_use][:text], "expects"
    shares = made[:settings].filter_map { |one| one[:share_of_busy] }
    assert(shares.any? && shares.all? { |one| one[:low] < one[:high] })
    assert_kind_of Numeric, made[:model][:needed_s]
    assert_nil document[:model]
  end

  test "a search that checks the model is told with what it found, or what it contradicts" do
    busy = { "2x3" => 1150.0, "yours" => 900.0 }
    agrees, contradicts = [busy, busy.transform_values { 300.0 }].map do |searched|
      found = searched.transform_values do |rate|
        SampleTuning.found(rate, searched_s: 100.0, needed_s: 100.0)
      end
      document(searched: found, searches: 1, rounds: 6)
    end

    assert_said(paragraph(screen(agrees), "checked"))
    assert_said(contradicts[:sentence], paragraph(screen(contradicts), "caution"))
    assert_nil contradicts[:model]
  end

  test "a single search is announced as a check of what follows from the race" do
    text = Mohs::Report::Render.text("tune_searches", names: "2x1, 1x5", cut: false, boots: 1,
                                                      search_s: 130)

    assert_said(text)
  end

  test "a race that is cut by its half of the budget says so, and one that goes on with fewer" do
    run = SampleTuning.new(SPEEDS, shapes: { "yours" => [1, 5] }, rounds: 2, searched: SEARCHED).run
    out = StringIO.new
    style = Mohs::Report::Terminal::Style.new(width: 100)
    progress = Mohs::Report::Terminal::LineProgress.new(out, style:)
    made = SampleTuning.new(SPEEDS, shapes: { "yours" => [1, 5] }, rounds: 1, limit: "p99 < 2 s")
    progress.call(:plan, { plan: first(run.plan, 1), study: run.study })
    progress.call(:cohort_started, { cohort: 0, round: 1, variants: SPEEDS.keys })
    2.times do
      progress.call(:cohort_finished, { cohort: 0, document: Mohs::Stored.document(made.to_h) })
    end
    fewer = first(run.plan, 2)
    last = Mohs::Plan::CohortSpec.new(**fewer.cohorts.last.to_h, variants: %w[yours 2x3])
    fewer = Mohs::Plan.new(**fewer.each_pair.to_h, cohorts: [fewer.cohorts.first, last])
    progress.call(:plan_changed, { plan: fewer })
    progress.call(:plan_changed, { plan: run.plan })

    assert_said(*out.string.lines(chomp: true).grep(/caution:/))
    assert_said(paragraph(out.string, "for"))
    assert_said(paragraph(out.string, "the"))
  end

  test "a plan names the stages as the progress does, and the server of a default" do
    text = planned(SampleTuning.new(SPEEDS, rounds: 1, opening: %w[yours 2x3]).run)

    assert_match(/^first settings, 3 of 3 +20 s +yours · 2x3$/, text)
    assert_match(/^race, round 1 +20 s +yours · 1x1 · 2x5$/, text)
    default = planned(SampleTuning.new({ "1x5" => 1000.0, "2x3" => 1300.0 }, rounds: 1).run)
    assert_match(/ · now: 1x5 \(puma's default\)$/, default)
  end

  def planned(run, plan = run.plan)
    style = Mohs::Report::Terminal::Style.new(width: 100)
    Mohs::Report::Terminal::PlanText.of(run.study, plan, style:).to_s
  end

  test "the rest of a tuning that is resumed has no new race, and does not count its stages" do
    run = SampleTuning.new(SPEEDS, rounds: 3, searched: SEARCHED).run
    rest = Mohs::Plan.new(**run.plan.each_pair.to_h, cohorts: run.plan.cohorts.last(2))
    text = planned(run, rest)

    assert_match(/^search +20 s +yours · 2x3 · 2x5$/, text)
    refute_match(/for the race|of 2/, text)
    whole = planned(run)
    assert_said(paragraph(whole, "up to"))
    assert_match(/^search, boot 3 of 3 +20 s/, whole)
  end

  test "a refused setting is no part of a stage, and is not searched" do
    made = SampleTuning.new(SPEEDS, rounds: 1).to_h
    made[:run][:study][:variants] += [{ name: "9x9", refusal: "no", env: {}, server: "puma" }]
    made[:run][:plan][:cohorts] += [{ round: 1, variants: %w[9x9], position: 1 }]
    text = planned(Mohs::Stored.run(made))

    assert_match(/\(4 settings, 5 boots each\)/, text)
    assert_match(/^race, round 1 +20 s/, text)
  end

  # The plan before later cohorts were added.
  def first(plan, count)
    Mohs::Plan.new(**plan.each_pair.to_h, cohorts: plan.cohorts.first(count))
  end

  test "rounds of settings that are ahead of the others are called so" do
    run = SampleTuning.new(SPEEDS, shapes: { "yours" => [1, 5] }, rounds: 1,
                                   opening: %w[yours 2x3]).run
    out = StringIO.new
    style = Mohs::Report::Terminal::Style.new(width: 80)
    progress = Mohs::Report::Terminal::LineProgress.new(out, style:)
    progress.call(:plan, { plan: run.plan, study: run.study })
    progress.call(:cohort_started, { cohort: 1, round: 2, variants: %w[yours 2x3] })

    assert_match(/^first settings, 2 of 3 · yours · 2x3 · /, out.string)
  end
end
