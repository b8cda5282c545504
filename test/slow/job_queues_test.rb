# frozen_string_literal: true

require "test_helper"

# `mohs jobs` on real queues with a worker of their own. The first run installs for a minute; what
# is installed stays in tmp/.
class JobQueuesTest < Mohs::TestCase
  WORKER = "bundle exec sidekiq -r ./sidekiq_alone.rb -c 5"

  def load(trial, count)
    driver = Mohs::Drivers.fetch("native").new(targets: [trial.target])
    result = driver.run([Mohs::Load::Step.new(targets: [0], count:)]).first
    trial.loaded(nil, nil, result)
    [result.good, result.errors]
  ensure
    driver&.close
  end

  test "Sidekiq by its own API, in a process of its own, with a private Redis" do
    refusal = Mohs::Services.fetch("redis").refusal
    skip refusal.to_s if refusal

    Mohs::Trial::ServiceData.with do |data|
      Mohs::JobTrial.with(env: { "ADAPTER" => "sidekiq_alone" }, jobs: { worker: WORKER },
                          gemfile: "Gemfile.sidekiq", services: %w[redis], data:) do |trial|
        %i[start_services boot attest check].each { |stage| trial.public_send(stage) }
        assert_equal({ api: "sidekiq", adapter: nil }, trial.job_queue)
        assert_equal [10, {}], load(trial, 10)
        trial.must_answer(1)
        assert_equal 2, trial.lasting.size
      rescue Mohs::TrialError => error
        trial.end_as(error)
        flunk "#{error.message}\n#{trial.outcome[:log_tail]}"
      end
    end
  end
end
