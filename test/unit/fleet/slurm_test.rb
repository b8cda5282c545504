# frozen_string_literal: true

require "test_helper"

class FleetSlurmTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-fleet"

  Fleet = Mohs::Fleet

  SINFO = <<~TEXT
    n2|fp_x,host_b|idle
    n1|fp_x,host_a|mixed
    n1|fp_x,host_a|mixed
    n3|(null)|allocated
    n4|fp_x|down*
    n5|fp_x|idle*
    n6|fp_x|drained
  TEXT

  ANY = Fleet::Slurm::Place.new

  def place(...) = Fleet::Slurm::Place.new(...)

  # Its commands, answered by the test; `calls` are their arguments.
  def slurm(**answers)
    calls = @calls = []
    Class.new(Fleet::Slurm) do
      define_singleton_method(:call) do |name, *arguments|
        calls << [name, *arguments]
        answer = answers.fetch(name.to_sym, "")
        raise Mohs::EnvironmentError, "Slurm: no controller" if answer.nil?

        next answer unless answer.respond_to?(:call)

        answer.arity.zero? ? answer.call : answer.call(*arguments)
      end
    end
  end

  def setup
    @logs = Dir.mktmpdir("mohs-test")
  end

  def teardown = FileUtils.rm_rf(@logs)

  def called(name) = @calls.select { |call| call.first == name }.map { |call| call.drop(1) }

  test "nodes are those that take jobs and answer, each once" do
    assert_equal [["n1", %w[fp_x host_a]], ["n2", %w[fp_x host_b]], ["n3", []]],
                 slurm(sinfo: SINFO).nodes.map(&:to_a)
  end

  test "a cohort is a job with a node of its own, started again if that is gone" do
    numbers = [17, 18].each
    cluster = slurm(sbatch: -> { "#{numbers.next};lab\n" }).new(run: "7kq2", logs: @logs)
    cluster.submit([4, 5], queue: place(node: "n1"))

    first, second = called("sbatch")
    assert_empty %w[--exclusive --requeue --nodes=1 --nodelist=n1 --job-name=mohs-7kq2-4] - first
    assert_match(/\A--wrap=exec \S+ruby\S* .* run-cohort 4\z/, first.last)
    assert_match(/ run-cohort 5\z/, second.last)
  end

  test "a cohort is submitted without the nodes at which it failed, while others can take it" do
    failed = { 4 => %w[n2 renamed], 5 => [], 6 => %w[n1 n2 n3], 7 => %w[renamed] }
    cluster = slurm(sbatch: "17\n", sinfo: SINFO)
              .new(run: "7kq2", logs: @logs, failed: failed.method(:fetch))
    where = lambda do |id, queue|
      cluster.submit([id], queue:)
      called("sbatch").last.grep(/\A--(?:exclude|nodelist|constraint)/)
    end

    assert_equal %w[--constraint=fp_x --exclude=n2], where.call(4, place(features: %w[fp_x]))
    assert_equal %w[--exclude=n2], where.call(4, ANY)
    assert_equal %w[--constraint=fp_x&host_b], where.call(4, place(features: %w[fp_x host_b]))
    assert_equal %w[--nodelist=n2], where.call(4, place(node: "n2"))
    assert_empty where.call(5, ANY)
    assert_empty where.call(6, ANY), "no node is left"
    assert_empty where.call(7, ANY), "Slurm refuses names that it does not know"
  end

  # sinfo lists the nodes of all partitions, and a job may be bound to one of them.
  ["Requested node configuration is not available", "Invalid node name specified"].each do |why|
    test "a cohort that is refused without a node is submitted with it: #{why}" do
      without = ->(words) { words.any? { |word| word.start_with?("--exclude") } }
      answers = lambda do |*words|
        raise Mohs::Fleet::Slurm.failure("sbatch", why) if without.call(words)

        "17\n"
      end
      cluster = slurm(sbatch: answers, sinfo: SINFO)
                .new(run: "7kq2", logs: @logs, failed: ->(_) { %w[n1] })
      cluster.submit([4], queue: ANY)

      assert_equal [true, false], called("sbatch").map(&without)
      assert_empty called("squeue")
    end
  end

  LATE = "Batch job submission failed: Socket timed out on send/recv operation"

  # A queue of Slurm in which a job may stand though sbatch has failed. names: of those jobs, by
  # number; there: whether squeue answers.
  def late_cluster(names, there: -> { true }, **answers)
    find = lambda do |*words|
      raise Mohs::EnvironmentError, "Slurm: squeue failed: timed out" unless there.call

      wanted = words.filter_map { |word| word[/\A--name=(.*)/, 1] }
      found = names.select { |_, name| wanted.empty? || wanted.include?(name) }
      found.map { |number, _| "#{number} PENDING\n" }.join
    end
    slurm(squeue: find, sinfo: SINFO, **answers).new(run: "7kq2", logs: @logs,
                                                     failed: ->(_) { %w[n1] })
  end

  ["timed out", LATE].each do |why|
    test "a job that Slurm took though sbatch failed is the cohort's: #{why}" do
      names = { 16 => "mohs-other-4" }
      cluster = late_cluster(names, sbatch: lambda { |*|
        names[17] = "mohs-7kq2-4"
        raise Mohs::Fleet::Slurm.failure("sbatch", why)
      })
      cluster.submit([4], queue: ANY)
      assert_equal 1, called("sbatch").size
      assert_empty cluster.gone([4])
      cluster.withdraw([4])

      assert_equal [%w[--state=PENDING 17]], called("scancel")
    end
  end

  test "a job that stands in the queue only later is not submitted a second time" do
    names = { 16 => "mohs-7kq2-3" }
    numbers = ["16\n", nil].each
    cluster = late_cluster(names, sbatch: lambda { |*|
      numbers.next || raise(Mohs::EnvironmentError, "Slurm: sbatch failed: #{LATE}")
    })
    cluster.submit([3, 4], queue: ANY)
    names[17] = "mohs-7kq2-4"
    Mohs::Clock.stub(:mono_ns, 0) { assert_equal [4], cluster.gone([3, 4]) }
    cluster.submit([4], queue: ANY)

    assert_equal 2, called("sbatch").size
    cluster.withdraw([3, 4])
    assert_equal [%w[--state=PENDING 16 17]], called("scancel")
  end

  test "a cohort that may have a job gets no other while its queue does not answer" do
    there = true
    cluster = late_cluster({ 16 => "mohs-7kq2-3" }, there: -> { there }, sbatch: nil)
    cluster.instance_variable_get(:@jobs)[3] = "16"
    cluster.submit([4], queue: ANY)
    there = false
    assert_raises(Mohs::EnvironmentError) { cluster.submit([4], queue: ANY) }
    assert_equal 1, called("sbatch").size

    there = true
    cluster.submit([4], queue: ANY)
    assert_equal 2, called("sbatch").size
  end

  test "a job that may have been taken is withdrawn by its name" do
    cluster = late_cluster({}, there: -> { false }, sbatch: nil)
    assert_raises(Mohs::EnvironmentError) { cluster.submit([4], queue: ANY) }
    cluster.withdraw([4])

    assert_equal [%w[--state=PENDING --name=mohs-7kq2-4]], called("scancel")
  end

  test "of a job that has begun it does not ask which nodes there are" do
    queue = ["17 PENDING\n18 PENDING\n", "17 RUNNING\n18 RUNNING\n"].each
    numbers = [17, 18].each
    cluster = slurm(sbatch: -> { "#{numbers.next}\n" }, sinfo: SINFO, squeue: -> { queue.next })
              .new(run: "7kq2", logs: @logs, failed: ->(_) { %w[n1] })
    cluster.submit([4, 5], queue: ANY)
    asked = called("sinfo").size
    clock = 0
    Mohs::Clock.stub(:mono_ns, -> { clock }) do
      2.times do
        assert_empty cluster.gone([4, 5])
        clock += (Fleet::Slurm::LOOK_S * 1_000_000_000) + 1
      end
    end

    assert_equal asked + 1, called("sinfo").size
  end

  test "a job waits for no other node once those are gone" do
    nodes = [SINFO, SINFO.gsub(/^n[23].*\n/, "")].each
    clock = 0
    cluster = slurm(sbatch: "17\n", sinfo: -> { nodes.next }, squeue: "17 PENDING\n")
              .new(run: "7kq2", logs: @logs, failed: ->(_) { %w[n1] })
    cluster.submit([4], queue: ANY)
    Mohs::Clock.stub(:mono_ns, -> { clock }) do
      assert_empty cluster.gone([4])
      clock += (Fleet::Slurm::LOOK_S * 1_000_000_000) + 1
      assert_empty cluster.gone([4])
    end

    assert_equal [%w[update JobId=17 ExcNodeList=]], called("scontrol")
    assert_equal 2, called("sinfo").size
  end

  test "a job that has begun does not keep others waiting for nodes that are gone" do
    nodes = [SINFO, SINFO]
    numbers = [17, 18].each
    update = lambda do |*words|
      words.include?("JobId=17") ? raise(Mohs::EnvironmentError, "Slurm: not pending") : ""
    end
    cluster = slurm(sbatch: -> { "#{numbers.next}\n" }, scontrol: update,
                    squeue: "17 PENDING\n18 PENDING\n",
                    sinfo: -> { nodes.shift || SINFO.gsub(/^n[23].*\n/, "") })
              .new(run: "7kq2", logs: @logs, failed: ->(_) { %w[n1] })
    cluster.submit([4, 5], queue: ANY)
    Mohs::Clock.stub(:mono_ns, 0) { cluster.gone([4, 5]) }

    assert_equal %w[JobId=17 JobId=18], called("scontrol").map { |words| words[1] }
  end

  test "a cohort is gone once Slurm has its job no more, and it is not asked all the time" do
    numbers = [17, 18].each
    clock = 0
    cluster = slurm(sbatch: -> { "#{numbers.next}\n" }, squeue: "17\n99\n")
              .new(run: "7kq2", logs: @logs)
    cluster.submit([4, 5], queue: ANY)

    Mohs::Clock.stub(:mono_ns, -> { clock }) do
      assert_equal [5], cluster.gone([4, 5])
      assert_empty cluster.gone([4, 5])
      clock += (Fleet::Slurm::LOOK_S * 1_000_000_000) + 1
      assert_equal [5], cluster.gone([4, 5])
    end
    assert_equal 2, called("squeue").size
  end

  test "without an answer of its controller nothing is gone, and what waits stays" do
    cluster = slurm(sbatch: "17\n", squeue: nil, scancel: nil).new(run: "7kq2", logs: @logs)
    cluster.submit([4], queue: ANY)

    assert_empty cluster.gone([4])
    assert_nil cluster.withdraw([4])
    assert_equal [["--state=PENDING", "17"]], called("scancel")
  end

  test "a limit of jobs is no end while some of them are there" do
    numbers = ["17\n", nil].each
    refuse = lambda do
      numbers.next || raise(Mohs::EnvironmentError, "Slurm: sbatch failed: QOSMaxSubmitJobPerUser")
    end
    queue = ->(*words) { words.include?("--name=mohs-7kq2-5") ? "" : "17 RUNNING\n" }
    cluster = slurm(sbatch: refuse, squeue: queue).new(run: "7kq2", logs: @logs)
    cluster.submit([4, 5], queue: ANY)

    assert_equal [5], cluster.gone([4, 5])
    cluster.withdraw([])
    assert_equal %w[--state=PENDING 17], called("scancel").first
  end

  test "a refusal with no other job there is an end, and what was accepted can be withdrawn" do
    answers = ["17\n", nil].each
    refuse = -> { answers.next || raise(Mohs::EnvironmentError, "Slurm: sbatch failed") }
    cluster = slurm(sbatch: refuse, squeue: "").new(run: "7kq2", logs: @logs)

    assert_raises(Mohs::EnvironmentError) { cluster.submit([4, 5], queue: ANY) }
    cluster.withdraw([4, 5])
    assert_equal [%w[--state=PENDING 17], %w[--state=PENDING --name=mohs-7kq2-5]], called("scancel")
  end

  test "jobs that end before anything is measured are not submitted for ever" do
    cluster = slurm(sbatch: "17\n").new(run: "7kq2", logs: @logs)
    Fleet::Slurm::MOST.times { cluster.submit([4], queue: ANY) }
    File.write(File.join(@logs, "17.log"), "one\nmohs: no cohort 4\n")
    error = assert_raises(Mohs::EnvironmentError) { cluster.submit([4], queue: ANY) }

    assert_said(error.message)
    assert_match(/ srun \S+ruby\S* .* run-cohort 4\z/, error.message)
  end

  test "a cohort whose jobs always end is an error, whatever else is queued" do
    numbers = (17..).each
    cluster = slurm(sbatch: -> { "#{numbers.next}\n" }, squeue: "17\n")
              .new(run: "7kq2", logs: @logs)
    cluster.submit([3], queue: ANY)
    Fleet::Slurm::MOST.times { cluster.submit([4], queue: ANY) }
    error = assert_raises(Mohs::EnvironmentError) { cluster.submit([5, 4], queue: ANY) }

    assert_said(error.message)
    assert_equal Fleet::Slurm::MOST + 1, called("sbatch").size
  end

  test "nodes of the features that most have, so many of any, or one" do
    nodes = slurm(sinfo: SINFO.gsub(/,host_./, "")).nodes
    queues = ->(**options) { Fleet::SlurmSelection.new(**options).queues(nodes) }

    assert_equal [place(features: %w[fp_x])] * 2, queues.call
    assert_equal %w[n1 n2 n3].map { |node| place(node:) }, queues.call(hosts: 3)
    assert_equal [place(node: "n2")], queues.call(same: "n2")
    assert_match(/\A--same-host n9: /,
                 assert_raises(Mohs::UsageError) { queues.call(same: "n9") }.message)
    assert_said(assert_raises(Mohs::EnvironmentError) {
      Fleet::SlurmSelection.new.queues([])
    }.message)
  end
end
