# frozen_string_literal: true

require "test_helper"

# The note that names the queue of `mohs jobs`.
class JobQueueNoteTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-report"

  def note(**values)
    Mohs::Report::Render.call(Mohs::Analysis::Finding.note("job_queue", count: 200, **values))
  end

  test "it names the API, its adapter, what a request is, and what ran the jobs" do
    assert_said(note(api: "active_job", adapter: "sidekiq", worker: "sidekiq -c 5"))
    assert_said(note(api: "litejob", adapter: nil, worker: nil))
  end
end
