# frozen_string_literal: true

require "test_helper"

class InstallationTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-trial"

  Result = Mohs::App::Bundle::Result
  Setup = Struct.new(:bundle, :no_worker)

  OK = Result.new(state: :ok, seconds: 2.0, notes: ["the Gemfile asks for Ruby 3.3"]).freeze

  # Bundles by Ruby, each installed at most once.
  class Bundle
    attr_reader :installed

    def initialize(ready: false, result: nil, resolved: OK, outstanding: {}, locked: true)
      @ready = ready
      @locked = locked
      @result = result
      @resolved = resolved
      @outstanding = { fetch: [], copy: [], **outstanding }
      @installed = 0
    end

    attr_reader :outstanding

    def ready? = @ready
    def locked? = @locked
    def expected_s = 2.5
    def done_s = 0

    def under_way = []
    def resolved? = @asked || false
    def resolve = @resolved.tap { @asked = true }

    def install
      @installed += 1
      yield "installing nio4r"
      @result
    end
  end

  # Gives each variant the bundle of its Ruby.
  class Setups
    def initialize(bundles, no_worker: nil)
      @bundles = bundles
      @no_worker = no_worker
    end

    def for(_study, variant)
      bundle = @bundles[variant.ruby]
      Setup.new(bundle, (@no_worker if bundle&.ready?))
    end
  end

  FAILED = Result.new(state: :failed, reason: Mohs::Reason.parse("pg-1.5.9 does not build"),
                      log_tail: "no pg_config", seconds: 1.0).freeze

  test "what is installed already costs nothing and is not told" do
    bundle = Bundle.new(ready: true)
    study, report = install({ "3.4.5" => bundle }, %w[3.4.5])

    assert_equal [0, [], [nil]], [bundle.installed, report, study.variants.map(&:refusal)]
  end

  test "variants of one Ruby and server share a bundle" do
    bundle = Bundle.new(result: OK)
    _, report = install({ "3.4.5" => bundle }, %w[3.4.5 3.4.5])

    assert_equal 1, bundle.installed
    assert_equal [[:outstanding, nil, 2.5], [:install, "installing nio4r", nil],
                  [:installed, nil, 2.0]],
                 (report.map { |name, facts| [name, facts[:line], facts[:seconds]] })
  end

  test "a lock that does not fit a Ruby is known before anything is installed for another" do
    unfit = Bundle.new(resolved: FAILED)
    fits = Bundle.new(result: OK, outstanding: { fetch: %w[a b], copy: %w[c] })
    study, report = install({ "3.1.2" => fits, "3.3.8" => fits, "2.7.4" => unfit },
                            %w[3.1.2 3.3.8 2.7.4])

    assert_equal %i[installed outstanding install installed install installed], report.map(&:first)
    assert_equal [["2.7.4", :failed], { gems: { fetch: 4, copy: 2 }, seconds: 5.0 }],
                 [report[0].last.values_at(:ruby, :state), report[1].last]
    assert_equal [[nil, nil, FAILED.reason], 0], [study.variants.map(&:refusal), unfit.installed]
  end

  test "another commit or Gemfile is another bundle, and each is installed once" do
    first, second = %w[a b].map { |digit| { typed: "@x", commit: digit * 40 } }
    bundle = Bundle.new(result: OK)
    origins = [{}, { revision: first }, { revision: { **first, typed: "@y" } },
               { revision: second }, { gemfile: "Gemfile.next" }, { gemfile: "Gemfile.next" },
               { gemfile: "Gemfile.next", revision: first }, { config: "config/big.rb" }]
    _, report = install({ "3.4.5" => bundle }, ["3.4.5"] * 8, origins:,
                        groups: [(0..7).map { |index| "v#{index}" }])

    assert_equal 5, bundle.installed
    assert_equal ["3.4.5", "3.4.5, @x", "3.4.5, @x", "3.4.5, Gemfile.next",
                  "3.4.5, @x, Gemfile.next"],
                 (report.filter_map { |event, facts| facts[:ruby] if event == :installed })
  end

  test "a bundle that can't be installed refuses its variants, with the compiler's last lines" do
    bundles = { "2.7.4" => Bundle.new(result: FAILED), "3.4.5" => Bundle.new(ready: true) }
    study, = install(bundles, %w[2.7.4 3.4.5])

    assert_equal [FAILED.reason, nil], study.variants.map(&:refusal)
    assert_equal "no pg_config", study.variants.first.refusal_log
  end

  test "what each Ruby lacks to build a gem is not looked for with the next one" do
    lacks = { any_ruby: true }
    { [lacks, %w[mysql2]] => 0, [lacks, %w[mysql]] => 1, [{}, %w[mysql2]] => 1 }
      .each do |(values, fetch), tried|
      reason = Mohs::Reason.new(code: "gem_not_built", values: { gem: "mysql2-0.5.6", **values })
      failed = Result.new(state: :failed, reason:, seconds: 53.0).freeze
      bundles = { "3.4.5" => Bundle.new(result: failed),
                  "3.1.2" => Bundle.new(result: failed, outstanding: { fetch: }) }
      study, report = install(bundles, %w[3.4.5 3.1.2])

      assert_equal [tried, [reason] * 2],
                   [bundles["3.1.2"].installed, study.variants.map(&:refusal)]
      ends = report.select { |name, _| name == :installed }
      assert_equal [53.0, (53.0 if tried == 1)], (ends.map { |_, facts| facts[:seconds] })
    end
  end

  test "where the baseline can't be installed, one without flags stands in for it" do
    bundles = { "2.7.4" => Bundle.new(result: FAILED), "3.4.5" => Bundle.new(ready: true) }
    study, = install(bundles, %w[2.7.4 3.4.5 3.4.5], flags: [[], ["--yjit"], []])

    assert_said(*[study.baseline, study.baseline_reason])
  end

  test "of two that are compared neither takes the other's place" do
    bundles = { "2.7.4" => Bundle.new(result: FAILED), "3.4.5" => Bundle.new(ready: true) }
    study, = install(bundles, %w[2.7.4 3.4.5],
                     rules: Mohs::Compare::Rules.new(candidate: "v1"))

    assert_equal ["v0", ["pg-1.5.9 does not build", nil]],
                 [study.baseline, study.variants.map { |one| one.refusal&.summary }]
  end

  test "one that was asked for by name is not replaced: the person is told at once" do
    bundles = { "2.7.4" => Bundle.new(result: FAILED), "3.4.5" => Bundle.new(ready: true) }
    error = assert_raises(Mohs::UsageError) do
      install(bundles, %w[2.7.4 3.4.5], named: true)
    end

    assert_match(/baseline .*: v0: pg-1\.5\.9 does not build\z/, error.message)
  end

  test "where nothing can be installed the plan has nothing but what was refused" do
    study, = install({ "2.7.4" => Bundle.new(result: FAILED) }, %w[2.7.4 2.7.4])
    plan = study.procedure.plan(seed: 1)

    assert_equal [["v0", nil, [%w[v0 v1]], 0]],
                 [[study.baseline, plan.cohorts.first.baseline, plan.cohorts.map(&:variants),
                   plan.estimate_s]]
  end

  test "a JVM's bundle is not even resolved before its cohort, unless that is the first" do
    jvm = Bundle.new(result: FAILED)
    bundles = { "3.4.5" => Bundle.new(result: OK), "jruby-10" => jvm }
    engines = [{}, { engine: "jruby" }]
    study, report = install(bundles, %w[3.4.5 jruby-10], origins: engines,
                                                         groups: [%w[v0], %w[v0 v1]])

    assert_equal [%w[3.4.5], 0, false],
                 [report.filter_map { |_, facts| facts[:ruby] }.uniq, jvm.installed, jvm.resolved?]
    assert_equal [nil, nil], study.variants.map(&:refusal)
    installation = Mohs::Trial::Installation.new(setups: Setups.new(bundles))
    refused = installation.of(study, study.variant("v1"))
    assert_equal [FAILED.reason, 1], [refused.refusal, jvm.installed]
    rules = Mohs::Compare::Rules.new(candidate: "v1")
    install(bundles, %w[3.4.5 jruby-10], origins: engines, rules:)
    install(bundles, %w[jruby-10 3.4.5], origins: engines.reverse)
    assert_equal 3, jvm.installed
  end

  test "what the plan has not is not even resolved, and what it has later waits until then" do
    bundles = %w[3.1.2 3.4.5 2.7.4 3.3.8].to_h { |ruby| [ruby, Bundle.new(result: OK)] }
    study, report = install(bundles, bundles.keys, groups: [%w[v0 v1], %w[v0 v2]])
    installed = report.filter_map { |event, facts| facts[:ruby] if event == :installed }

    assert_equal [%w[3.1.2 3.4.5], [true, true, true, false]],
                 [installed, bundles.values.map(&:resolved?)]
    assert_equal 5.0, report.assoc(:outstanding).last[:seconds]
    assert_equal [nil] * 4, study.variants.map(&:refusal)
  end

  test "one that comes later is refused before the start if its lock can't be resolved" do
    bundles = { "3.1.2" => Bundle.new(result: OK), "2.7.4" => Bundle.new(resolved: FAILED) }
    study, = install(bundles, bundles.keys, groups: [%w[v0], %w[v0 v1]])

    assert_equal [nil, FAILED.reason], study.variants.map(&:refusal)
  end

  test "one of the first cohort stands in for the baseline, before one that is not installed" do
    bundles = { "2.7.4" => Bundle.new(result: FAILED), "3.3.8" => Bundle.new(result: OK),
                "3.4.5" => Bundle.new(result: OK) }
    study, = install(bundles, bundles.keys, groups: [%w[v0 v2], %w[v0 v1]])

    assert_equal "v2", study.baseline
  end

  test "as soon as the first gems show that it takes longer, that is reported" do
    clock = Mohs::ProgressHelper::HandClock.new
    bundles = %w[3.1.2 3.4.5].to_h { |ruby| [ruby, Bundle.new(result: OK)] }
    bundles.each_value do |bundle|
      bundle.define_singleton_method(:done_s) { 1.25 }
      bundle.define_singleton_method(:install) do |&step|
        [5, 6].each { |seconds| clock.pass(seconds).then { step.call("installing nio4r") } }
        OK
      end
    end
    _, report = install(bundles, bundles.keys, clock:)

    assert_equal %i[outstanding install outstanding_longer install outstanding_longer installed],
                 report.map(&:first).first(6)
    longer = report.filter_map { |event, facts| facts[:seconds] if event == :outstanding_longer }
    assert_equal [12.5, 22.1], longer.map { |seconds| seconds.round(1) }
  end

  test "stopped while it installs, it reports what is installed and what is left" do
    stopped = Bundle.new
    stopped.define_singleton_method(:install) { raise Interrupt }
    bundles = { "3.1.2" => Bundle.new(ready: true), "2.7.4" => Bundle.new(result: FAILED),
                "3.3.8" => Bundle.new(result: OK), "3.4.5" => stopped,
                "4.0.0" => Bundle.new(result: OK), "jruby-10" => Bundle.new(result: OK) }
    report = []
    assert_raises(Interrupt) do
      install(bundles, %w[3.1.2 2.7.4 3.3.8 3.3.8 3.4.5 4.0.0 jruby-10], report:,
              origins: [*[{}] * 6, { engine: "jruby" }])
    end

    assert_equal [:install_stopped, { installed: %w[3.1.2 3.3.8], left: %w[3.4.5 4.0.0] }],
                 report.last
  end

  test "a dry run refuses gems that can't be resolved without a lock, and installs nothing" do
    bundles = { "3.1.2" => Bundle.new(locked: false),
                "3.4.5" => Bundle.new(resolved: FAILED, locked: false),
                "2.7.4" => Bundle.new(resolved: FAILED),
                "3.3.8" => Bundle.new(ready: true, resolved: FAILED, locked: false) }
    study, report = install(bundles, bundles.keys, step: :rehearse)

    assert_equal [nil, FAILED.reason, nil, nil], study.variants.map(&:refusal)
    assert_equal [[true, true, false, false], [0] * 4],
                 [bundles.values.map(&:resolved?), bundles.values.map(&:installed)]
    assert_equal [[:installed, "3.4.5"]], (report.map { |name, facts| [name, facts[:ruby]] })
  end

  test "a dry run checks out no commit, and takes another baseline as the run would" do
    bundle = Bundle.new(resolved: FAILED, locked: false)
    revision = { typed: "@x", commit: "a" * 40 }
    bundles = { "3.4.5" => bundle, "3.1.2" => Bundle.new(ready: true) }
    study, = install(bundles, %w[3.4.5], origins: [{ revision: }], step: :rehearse)
    assert_equal [[nil], false], [study.variants.map(&:refusal), bundle.resolved?]

    study, = install(bundles, %w[3.4.5 3.1.2], step: :rehearse)
    assert_said(*[study.baseline, study.baseline_reason])
    assert_raises(Mohs::UsageError) do
      install(bundles, %w[3.4.5 3.1.2], named: true, step: :rehearse)
    end
  end

  test "a dry run refuses a variant whose installed gems have no such worker" do
    bundles = { "3.4.5" => Bundle.new, "3.1.2" => Bundle.new(ready: true) }
    no_worker = Mohs::Reason.parse("no gem has an executable sidekiqq")
    study, = install(bundles, %w[3.4.5 3.1.2 3.1.2], step: :rehearse, no_worker:)

    assert_equal [nil, no_worker, no_worker], study.variants.map(&:refusal)
  end

  test "before a cohort, who is refused already is left alone" do
    study, = install({ "3.4.5" => nil, "2.7.4" => nil }, %w[3.4.5 2.7.4],
            refusal: Mohs::Reason.parse("needs Java"))
    one = study.variant("v1")

    assert_same one, Mohs::Trial::Installation.new(setups: Setups.new({})).of(study, one)
  end

  test "a server without gems needs no bundle, and a refused variant none either" do
    bundle = Bundle.new(result: OK)
    install({ "3.4.5" => nil, "2.7.4" => bundle }, %w[3.4.5 2.7.4],
            refusal: Mohs::Reason.parse("needs Java"))

    assert_equal 0, bundle.installed
  end

  private

  def install(bundles, rubies, refusal: nil, flags: [], named: false, origins: [],
              rules: Mohs::Procedure.default, report: [], groups: nil, clock: Mohs::Clock,
              step: :call, no_worker: nil)
    variants = rubies.each_with_index.map do |ruby, index|
      Mohs::Study::Variant.new(name: "v#{index}", ruby:, server: "puma", processes: 1, threads: 5,
                               flags: flags[index] || [],
                               refusal: (refusal if index.positive?), **origins[index].to_h)
    end
    study = Mohs::Study.new(app: "/app", requests: [], variants:, baseline: "v0",
                            baseline_named: named, env: {}, rules:)
    on_event = ->(*event) { report << event }
    setups = Setups.new(bundles, no_worker:)
    plan = groups ? planned(groups) : study.procedure.plan(seed: 1)
    installation = Mohs::Trial::Installation.new(setups:, on_event:, clock:)
    [installation.public_send(step, study, plan), report]
  end

  def planned(groups)
    cohorts = groups.each_with_index.map do |variants, position|
      Mohs::Plan::CohortSpec.new(round: 1, position:, baseline: "v0", variants:)
    end
    Mohs::Plan.new(seed: 1, rounds: 1, cohorts:, estimate_s: 1, dropped: [])
  end
end
