# frozen_string_literal: true

require "test_helper"

# The note that names the queue of `mohs jobs`.
class JobQueueNoteTest < Mohs::TestCase
  def note(**values)
    Mohs::Report::Render.call(Mohs::Analysis::Finding.note("job_queue", count: 200, **values))
  end

  test "it names the API, its adapter, what a request is, and what ran the jobs" do
    assert_equal "Active Job (sidekiq): a request is a batch of 200 jobs, run by `sidekiq -c 5` " \
                 "(included in the figures); latencies are of batches",
                 note(api: "active_job", adapter: "sidekiq", worker: "sidekiq -c 5")
    assert_equal "Litejob: a request is a batch of 200 jobs, run by the server's own processes; " \
                 "latencies are of batches", note(api: "litejob", adapter: nil, worker: nil)
  end
end
