# frozen_string_literal: true

require "test_helper"

class FleetCohortJobTest < Mohs::TestCase
  # The interval counts for all hosts: one that grew kept jobs from hosts that were free.
  test "a cohort that is left to other hosts is due again in two seconds, however often it was" do
    intervals = [1, 10, 1000].map do |count|
      Mohs::Fleet::CohortJob.resolve_que_setting(:retry_interval, count)
    end

    assert_equal [2, 2, 2], intervals
  end
end
