# frozen_string_literal: true

require "shellwords"

module Mohs
  class Study
    # Measures the application's job queue instead of its pages: each request is a batch of `count`
    # jobs and ends when the queue has run each of them once, within `limit_s` seconds
    # (inside/jobs_page.rb). `worker` is the command of a process that runs the jobs (nil: the
    # server's own process does); `api` enqueues them (nil: the first of APIS that the application
    # loads).
    class Jobs < Struct.new(:count, :worker, :api, :limit_s, keyword_init: true)
      include Value

      # The APIs of inside/jobs.rb, in its order, with their names.
      APIS = { "active_job" => "Active Job", "sidekiq" => "Sidekiq", "litejob" => "Litejob" }.freeze

      # A batch takes some ten milliseconds on a fast queue, so that servers can take turns.
      COUNT = 200
      MOST = 1_000_000

      LIMIT_S = 60

      # How much later than the page the driver gives up: the page's response says how many jobs are
      # missing.
      GRACE_S = 10

      PATH = "/.mohs/jobs"

      # One batch at a time has the queue to itself.
      CONNECTIONS = 1

      # Parses what is typed; what was not typed is nil. Raises UsageError.
      #: (?count: Integer?, ?worker: String?, ?api: String?, ?limit: String?) -> Study::Jobs
      def self.parse(count: nil, worker: nil, api: nil, limit: nil)
        raise UsageError, "count #{count}: use 1 to #{MOST} jobs" unless
          count.nil? || count.between?(1, MOST)
        raise UsageError, "unknown api #{api.inspect}. Known: #{APIS.keys.join(', ')}." unless
          api.nil? || APIS.key?(api)

        words(worker) if worker
        new(count: count || COUNT, worker:, api:,
            limit_s: limit ? Duration.parse(limit) : LIMIT_S)
      end

      # The words of a command. No shell is involved.
      #: (String) -> Array[String]
      def self.words(worker)
        words = Shellwords.split(worker)
        raise UsageError, "worker #{worker.inspect}: name a command" if words.empty?

        variable = words.first[/\A[A-Za-z_]\w*(?==)/] or return words
        raise UsageError, "worker #{worker.inspect}: give #{variable} to server and worker, " \
                          "with --env or env"
      rescue ArgumentError => error
        raise UsageError, "worker #{worker.inspect}: #{error.message}"
      end

      # The words of the worker's command.
      #: () -> Array[String]?
      def argv = worker && self.class.words(worker)

      # The command without "bundle exec" or "ruby" in front: it gets the server's bundle and Ruby
      # in any case.
      #: () -> Array[String]?
      def program
        words = argv or return
        words = words.drop(2) if words.first(2) == %w[bundle exec]
        words.first == "ruby" && words[1] ? words.drop(1) : words
      end

      # The Ruby file that the worker is, as typed: relative to the application's folder; nil if the
      # worker is an executable of the bundle, or if there is no worker.
      #: () -> String?
      def file
        name = program&.first
        name if name&.include?("/") || name&.end_with?(".rb")
      end

      # The request for a batch.
      #: () -> App::Request
      def request = page(count, expect: "jobs that ran once: #{count}")

      # The request that asks which queue it is.
      #: () -> App::Request
      def inquiry = page(0)

      # The request for a batch of one job, which shows that the queue runs.
      #: () -> App::Request
      def first = page(1)

      # Seconds to wait for the response to a batch.
      #: () -> Numeric
      def timeout_s = limit_s + GRACE_S

      private

      def page(count, **options)
        App::Request.build(path: "#{PATH}?count=#{count}#{"&api=#{api}" if api}", **options)
      end
    end
  end
end
