# frozen_string_literal: true

require "test_helper"

# gc over a store and a cache that are real.
class CLIGcTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::StoreHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-gc"

  DAY_MS = 86_400_000

  # Two applications, runs that ended 100, 50 and 0 days ago with 1000 requests each.
  def gc
    with_files("cache/mohs/gems/3.4.5/x.rb" => "x" * 5000, "data/mohs/.keep" => "",
               "tmp/.keep" => "") do |home|
      @home = home
      env = { "HOME" => home, "XDG_CACHE_HOME" => "#{home}/cache",
              "XDG_DATA_HOME" => "#{home}/data", "TMPDIR" => "#{home}/tmp" }
      @store = open_store("#{home}/data/mohs/mohs.db", clock: clock = FakeClock.new(0))
      @keys = [100, 50, 0].map { |days| recorded(clock, days) }
      yield ->(*argv) { mohs("gc", *argv, store: -> { @store }, env:) }
    ensure
      close_stores
    end
  end

  def recorded(clock, days)
    clock.real_ms = Mohs::Clock.real_ms - (days * DAY_MS)
    run = create_run(@store, app: "/srv/shop")
    trial = @store.start_trial(@store.cohorts(run.id).first.id, "a")
    packed = Random.new(days).bytes(32 * 1000)
    @store.add_observations(trial, Mohs::Core::Codec.encode(packed), 1000)
    @store.finish_run(run.id, "finished")
    run.key
  end

  def requests = @store.size.requests

  test "alone it tells what is there, and what could be deleted" do
    gc do |mohs|
      output = mohs.call
      lines = output.out.lines(chomp: true)

      assert_equal [0, ""], [output.status, output.err]
      assert_match(%r{\Aruns +\d+ kB +3 runs in #{@home}/data/mohs/mohs\.db\z}, lines[0])
      assert_match(/\Arecordings +\d+ kB +of these, 3 000 requests of 3 runs\z/, lines[1])
      assert_match(/\Agems +\d\S* kB  1 folder, last used \d{4}-\d\d-\d\d\z/, lines[2])
      assert_said(paragraph(output.out, "Nothing"))
      assert_match(/^  mohs gc --older-than 90d --recordings-only +\d+ kB$/, output.out)
      assert_match(/^  mohs gc --caches 30d +0 bytes$/, output.out)
      assert_equal [3, 3000], [@store.size.runs, requests]
    end
  end

  test "a run that is under way stays, and is named" do
    gc do |mohs|
      other = create_run(@store, app: "/srv/blog")
      create_run(@store, app: "/srv/blog")
      output = mohs.call("--keep", "1").out

      assert_includes output, "Deleted 2 runs"
      assert_includes output, "kept: #{other.key}."
    end
  end

  test "old runs are deleted, and the file is smaller" do
    gc do |mohs|
      dry = mohs.call("--older-than", "90d", "--dry-run").out
      assert_match(/\AWould delete 1 run, \d+ kB: #{@keys[0]}\.\n\z/, dry)
      assert_equal 3, @store.size.runs
      gone = mohs.call("--older-than", "90d").out

      assert_match(/\ADeleted 1 run, \d+ kB: #{@keys[0]}\.\nThe store .* \d+ kB\.$/,
                   gone)
      assert_equal @keys.drop(1).reverse, @store.listed.map(&:key)
      assert_match(/\ANo run /, mohs.call("--older-than", "13w").out)
    end
  end

  test "recordings are deleted once, and the runs stay" do
    gc do |mohs|
      gone = mohs.call("--keep", "1", "--recordings-only").out

      assert_match(/\ADeleted recordings of 2 runs, \d+ kB: #{@keys[1]}, #{@keys[0]}\.\n/, gone)
      assert_equal [3, 1000], [@store.size.runs, requests]
      assert_match(/\ANo run /, mohs.call("--keep", "1", "--recordings-only").out)
    end
  end

  test "unused caches are deleted, unless a run may need them" do
    gc do |mohs|
      file = "#{@home}/cache/mohs/gems/3.4.5/x.rb"
      assert_match(/\ANo cache /, mohs.call("--caches", "1d").out)
      File.utime(Time.now - 200_000, Time.now - 200_000, file)
      run = create_run(@store)
      output = mohs.call("--caches", "1d")
      assert_equal [2, true], [output.status, File.exist?(file)]
      assert_match(/run .*progress/, output.err)
      @store.finish_run(run.id, "finished")

      assert_match(/\ADeleted 1 folder of gems, \d\S* kB\.\n\z/, mohs.call("--caches", "1d").out)
      refute_path_exists file
    end
  end

  test "what a killed mohs left in the temporary folder is deleted with the caches" do
    gc do |mohs|
      left = "#{@home}/tmp/mohs-t20261101-1-abc"
      FileUtils.mkdir(left)
      File.write("#{left}/#{Mohs::Process::ScratchFolder::MARKER}", "")

      assert_equal "Deleted 1 folder of scratch, 0 bytes.\n", mohs.call("--caches", "1d").out
      refute_path_exists left
    end
  end

  test "while a run is under way, it stays and the file is not written anew" do
    gc do |mohs|
      other = create_run(@store)
      assert @store.claim(@store.cohorts(other.id).first.id, Mohs::Cohort::Token.own)
      output = mohs.call("--keep", "1").out

      assert_includes output, "Deleted 2 runs"
      assert_match(/Another mohs .*keeps its size/, output)
      @store.finish_cohort(@store.cohorts(other.id).first.id, "done")
      @store.finish_run(other.id, "finished")

      assert_match(/\AThe store .* \d+ kB\.\n\z/, mohs.call("--compact").out)
    end
  end

  test "documents are as docs/json.md has them" do
    gc do |mohs|
      told, gone = [[], %w[--older-than 60d --caches 90d]].map do |argv|
        mohs.call("--json", *argv).json
      end

      contract = Mohs::JSONContract.new("`gc`")
      [told, gone].each { |json| assert_empty contract.faults(json) }
      assert_equal [true, nil, 3, [], 3],
                   [told[:dry_run], told[:deletes], told[:store][:runs], told[:runs],
                    told[:suggested].size]
      assert_equal [false, "runs", [@keys[0]], [1000], []],
                   [gone[:dry_run], gone[:deletes], gone[:runs].map { |run| run[:run] },
                    gone[:runs].map { |run| run[:requests] }, gone[:suggested]]
      assert_equal [false], gone[:caches].map { |one| one[:removed] }
      assert_operator gone[:freed_bytes], :>, 0
    end
  end

  test "what can't be meant is refused" do
    gc do |mohs|
      lines = [%w[--older-than 3], %w[--older-than 0d], %w[--caches 1m], %w[--keep 0],
               %w[--recordings-only]]
      assert_mistakes("gc", lines) { |*argv| mohs.call(*argv) }
      assert_equal 3, @store.size.runs
    end
  end
end
