# frozen_string_literal: true

require "test_helper"
require_relative "../../../lib/mohs/inside/jobs_page"

# How a batch of jobs is verified, by queues that behave as the test says. Real ones are in
# test/integration/trial/job_queue_test.rb.
class InsideJobsTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-inside"

  # Runs each job so often, at once, and says whether it took it.
  Queue = Struct.new(:runs, :takes) do
    def mohs_enqueue(path, number)
      (runs ? runs.call(number) : 1).times { MohsJobs.ran(path, number) }
      takes ? takes.call(number) : true
    end
  end

  def batch(count = 3, limit_s: 0, **queue)
    with_server do |folder|
      fault = MohsJobs::Batch.new("#{folder}/1", count, limit_s)
                             .call(Queue.new(*queue.values_at(:runs, :takes)))
      return [fault, faults(folder), Dir.children(folder) - ["faults"]]
    end
  end

  # The folder is that of this server's batches.
  def with_server
    with_files do |folder|
      before, ENV["MOHS_JOBS"] = ENV["MOHS_JOBS"], folder
      yield folder
    ensure
      ENV["MOHS_JOBS"] = before
    end
  end

  def faults(folder)
    path = File.join(folder, "faults")
    File.exist?(path) ? File.readlines(path, chomp: true) : []
  end

  test "a batch whose jobs each ran once is right, and leaves nothing" do
    assert_equal [nil, [], []], batch
    assert_equal [nil, [], []], batch(1)
    assert_equal [nil, [], []], batch(2000)
  end

  test "jobs that don't run, or run twice, are faults with their numbers, for mohs as well" do
    [[0, 1, 0], [1, 2, 1], [0, 1, 2], [3, 0, 0]].each do |times|
      said, faults, rest = batch(runs: ->(number) { times[number] })

      assert_said(*faults)
      assert_equal [faults.first.split(" ", 2).last, []], [said, rest]
    end
  end

  test "what can't be enqueued, or is refused, ends the batch at once" do
    raises = ->(number) { number == 1 ? raise(IOError, "closed\nby the peer") : 1 }

    assert_equal ["not enqueued: closed (IOError)", ["refused not enqueued: closed (IOError)"]],
                 batch(limit_s: 3600, runs: raises).first(2)
    assert_match(/\Anot enqueued: .*job 3 of 3\z/,
                 batch(limit_s: 3600, takes: ->(number) { number < 2 }).first)
  end

  test "jobs that run on another thread are awaited" do
    with_server do |folder|
      path = "#{folder}/1"
      queue = Object.new
      threads = []
      queue.define_singleton_method(:mohs_enqueue) do |to, number|
        threads << Thread.new do
          sleep 0.02
          MohsJobs.ran(to, number)
        end
      end

      assert_nil MohsJobs::Batch.new(path, 3, 60).call(queue)
      threads.each(&:join)
    end
  end

  test "a job that runs again when its batch has ended is a fault, each time" do
    with_server do |folder|
      MohsJobs::Batch.new("#{folder}/1", 1, 0).call(Queue.new)
      2.times { MohsJobs.ran("#{folder}/1", 0) }

      assert_equal %w[late] * 2, faults(folder).map { |line| line[/\w+/] }
    end
  end

  test "a job that a process of another server runs is a fault of its own server, but counts" do
    with_server do |here|
      with_files do |other|
        File.write("#{other}/1", "")
        MohsJobs.ran("#{other}/1", 7)

        assert_equal [[], %w[elsewhere]],
                     [here, other].map { |folder| faults(folder).map { |line| line[/\w+/] } }
        assert_equal [7], File.binread("#{other}/1").unpack("L<*")
      end
    end
  end

  test "a job of a server that has ended does nothing" do
    with_server do |folder|
      MohsJobs.ran("/nowhere/at/all/1", 0)

      assert_empty Dir.children(folder)
    end
  end

  test "other pages are the application's, mounted ones too" do
    page = MohsJobs::Page.new(->(env) { [200, {}, [env["PATH_INFO"]]] })

    assert_equal ["/"], page.call("PATH_INFO" => "/", "QUERY_STRING" => "count=3").last
    mounted = { "SCRIPT_NAME" => "/admin", "PATH_INFO" => MohsJobs::PATH }
    assert_equal [MohsJobs::PATH], page.call(mounted).last
  end

  test "an application that loads no queue has none, whichever is asked for" do
    answers = ["count=0", "count=3&api=sidekiq", ""].map do |query|
      MohsJobs::Page.new(nil).call("PATH_INFO" => MohsJobs::PATH, "QUERY_STRING" => query)
    end

    assert_equal [501], answers.map(&:first).uniq
    assert_equal ["active_job, sidekiq, litejob", "sidekiq"],
                 answers.map { |answer| answer.last.first[/\A[^:]+(?=: not loaded)/] }.uniq
    assert_equal answers.map { |answer| answer.last.first.bytesize.to_s },
                 (answers.map { |answer| answer[1]["content-length"] })
  end

  test "mohs asks for the page that it adds, and knows its APIs in their order" do
    jobs = Mohs::Study::Jobs.parse

    assert_equal MohsJobs::PATH, jobs.request.path.split("?").first
    assert_equal MohsJobs::APIS.keys, Mohs::Study::Jobs::APIS.keys
    assert_equal MohsJobs::FAULTS, Mohs::Trial::JobQueue::FAULTS
    assert_equal Mohs::Trial::JobQueue::LOST, batch(runs: ->(_) { 0 })[1].first.split.first
  end
end
