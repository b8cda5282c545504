# frozen_string_literal: true

require "test_helper"

# apps/jobs on this Ruby: every queue runs each job once, in batches one after the other. The first
# run installs for some minutes; what is installed stays in tmp/.
class JobsTest < Mohs::TestCase
  DIR = File.join(Mohs.root, "apps", "jobs")
  LITEJOB = %w[native active_job].product(%w[threads fibers], %w[0 1]).freeze

  # A queue's trivial jobs, fewer than a measurement has.
  def drains(gemfile: nil, **env)
    ruby = Mohs::Rubies.find(RUBY_VERSION)
    env = { JOBS: "50", **env }.transform_keys(&:to_s)
    Dir.mktmpdir("mohs-test") do |folder|
      process = Mohs::AppProcess.new(dir: DIR, ruby:, gemfile:, env:)
      process.run(folder) do |port, _child|
        http = Mohs::Http::Client.new(port:, timeout_s: 120)
        3.times { assert_nil Mohs::App::ResponseLearner.new(http).verify(process.app.checks) }
      end
    end
  end

  # A private instance of the service beside it.
  def drains_beside(service, **options)
    refusal = Mohs::Services.fetch(service).refusal
    skip refusal.to_s if refusal

    Mohs::Trial::ServiceData.with do |data|
      set = data.start(Mohs::ServiceSetup.new(services: [service]), cpus: nil)
      drains(**options, **set.env.transform_keys(&:to_sym))
    ensure
      set&.stop
    end
  end

  LITEJOB.each do |api, concurrency, spawn|
    test "Litejob, #{api}, #{concurrency}#{', a context for each job' if spawn == '1'}" do
      drains(API: api, CONCURRENCY: concurrency, SPAWN: spawn)
    end
  end

  %w[native active_job].each do |api|
    test "Sidekiq, #{api}" do
      drains_beside("redis", gemfile: "Gemfile.sidekiq", QUEUE: "sidekiq", API: api)
    end
  end

  test "GoodJob" do
    drains_beside("postgresql", gemfile: "Gemfile.good_job", QUEUE: "good_job")
  end

  test "Solid Queue" do
    drains(gemfile: "Gemfile.solid_queue", QUEUE: "solid_queue")
  end
end
