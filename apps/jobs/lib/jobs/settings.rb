# frozen_string_literal: true

module Jobs
  # What the server's environment asks for:
  #
  #     QUEUE        litejob (default), sidekiq, good_job or solid_queue
  #     API          native or active_job; the default is active_job for queues without a native API
  #     CONCURRENCY  threads (default), or fibers, which only Litejob has
  #     SPAWN        1: Litejob starts a thread or fiber for each job; 0 (default): its workers run
  #                  them
  #     JOBS         jobs in a batch, default 200
  #     WAIT_MS      how long each job sleeps, like one that waits for a network; default 0
  class Settings
    APIS = { "litejob" => %w[native active_job], "sidekiq" => %w[native active_job],
             "good_job" => %w[active_job], "solid_queue" => %w[active_job] }.freeze

    # The default of Litejob, Sidekiq and GoodJob. Solid Queue's default is 3.
    WORKERS = 5

    # How long polling workers sleep at most while there are no jobs. By default Litejob's workers
    # sleep up to 2 s, so the first batch after a pause (while another server is measured, say)
    # would wait. With a much lower value idle servers would take time from the one being measured.
    POLL_S = 0.025

    attr_reader :queue, :api, :concurrency, :jobs, :wait_ms

    def initialize(env)
      @env = env
      @queue = choice("QUEUE", APIS.keys)
      @api = choice("API", APIS.fetch(queue))
      litejob = queue == "litejob"
      @concurrency = choice("CONCURRENCY", litejob ? %w[threads fibers] : %w[threads])
      @spawn = choice("SPAWN", litejob ? %w[0 1] : %w[0])
      @jobs = count("JOBS", 1..1_000_000, default: 200)
      @wait_ms = count("WAIT_MS", 0..10_000, default: 0)
    end

    def active_job? = api == "active_job"

    def fibers? = concurrency == "fibers"

    def spawn? = @spawn == "1"

    private

    def choice(name, allowed)
      given = @env.fetch(name, allowed.first)
      return given if allowed.include?(given)

      of = " of #{queue}" if queue
      raise ArgumentError, "#{name}#{of} is #{allowed.join(' or ')}, not #{given.inspect}"
    end

    def count(name, range, default:)
      given = @env.fetch(name, default.to_s)
      return given.to_i if given.match?(/\A\d+\z/) && range.cover?(given.to_i)

      raise ArgumentError,
            "#{name} is a number from #{range.begin} to #{range.end}, not #{given.inspect}"
    end
  end
end
