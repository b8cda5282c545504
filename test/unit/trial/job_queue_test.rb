# frozen_string_literal: true

require "test_helper"

# What went wrong with batches, as the page and the jobs have written it down. Real queues are in
# test/integration/trial/job_queue_test.rb.
class UnitTrialJobQueueTest < Mohs::TestCase
  Setup = Struct.new(:jobs, :folder) do
    def jobs_env(_folder) = { "MOHS_JOBS" => folder }
  end

  # The reason of a trial with these lines; nil if nothing went wrong.
  def reason(*lines)
    with_files(lines.empty? ? {} : { "faults" => lines.join }) do |folder|
      place = Mohs::Cohort::Layout::Place.new(variant: "shop", cpus: [0], worker: 0)
      queue = Mohs::Trial::JobQueue.new(setup: Setup.new(Mohs::Study::Jobs.parse, folder), folder:,
                                        place:, spawner: Mohs::Process::Spawner.new)
      queue.must_be_right(remedy: "name the worker")
      return
    rescue Mohs::TrialError => error
      return error.reason
    end
  end

  test "without a fault the batches were right" do
    assert_nil reason
  end

  test "the code decides what to try, whatever the text says" do
    lost = reason("lost 2 of 3 did nothing\n")
    late = reason("late a job that did not run ran\n", "lost 1 of 3\n", "late again\n")

    assert_equal ["2 of 3 did nothing", "name the worker", "jobs_wrong", { fault: "lost" }],
                 lost.to_h.values_at(:summary, :remedy, :code, :values)
    assert_equal ["a job that did not run ran (and 2 more like that)", nil, { fault: "late" }],
                 late.to_h.values_at(:summary, :remedy, :values)
  end
end
