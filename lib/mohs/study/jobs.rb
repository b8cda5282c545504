# frozen_string_literal: true

require "shellwords"

module Mohs
  class Study
    # The application's job queue is measured in place of its pages: each request is a batch of
    # `count` jobs, which ends when the queue has run each of them once, within `limit_s` seconds
    # (inside/jobs_page.rb). `worker` the command of a process that runs them (nil: the server's own
    # does), `api` by which they are enqueued (nil: the first of APIS that the application loads).
    class Jobs < Struct.new(:count, :worker, :api, :limit_s, keyword_init: true)
      include Value

      # Those of inside/jobs.rb, in its order, and what they are called.
      APIS = { "active_job" => "Active Job", "sidekiq" => "Sidekiq", "litejob" => "Litejob" }.freeze

      # A batch takes some ten milliseconds with a quick queue, so that servers can take turns.
      COUNT = 200
      MOST = 1_000_000

      LIMIT_S = 60

      # How much later than the page the driver gives up: the page's answer says how many are
      # missing.
      GRACE_S = 10

      PATH = "/.mohs/jobs"

      # One batch at a time is alone in the queue.
      CONNECTIONS = 1

      # As typed, each nil if it was not. Raises UsageError.
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

      # The words of a command. It is no shell's.
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

      # The words of its worker's command.
      #: () -> Array[String]?
      def argv = worker && self.class.words(worker)

      # The same without what it gets in any case, the server's bundle and Ruby: not with "bundle
      # exec" or "ruby" in front.
      #: () -> Array[String]?
      def program
        words = argv or return
        words = words.drop(2) if words.first(2) == %w[bundle exec]
        words.first == "ruby" && words[1] ? words.drop(1) : words
      end

      # The Ruby file that it is, as it was typed: relative to the application's folder; nil if it
      # is an executable of the bundle, or there is none.
      #: () -> String?
      def file
        name = program&.first
        name if name&.include?("/") || name&.end_with?(".rb")
      end

      # A batch.
      #: () -> App::Request
      def request = page(count, expect: "jobs that ran once: #{count}")

      # Asks which queue it is.
      #: () -> App::Request
      def inquiry = page(0)

      # A batch of one job, which shows that the queue runs.
      #: () -> App::Request
      def first = page(1)

      # Seconds to wait for the answer to a batch.
      #: () -> Numeric
      def timeout_s = limit_s + GRACE_S

      private

      def page(count, **options)
        App::Request.build(path: "#{PATH}?count=#{count}#{"&api=#{api}" if api}", **options)
      end
    end
  end
end
