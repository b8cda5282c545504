# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs jobs [FOLDER]`: measures the job queue of an application, as `mohs run` measures its
    # pages.
    class Jobs < Measuring
      SUMMARY = "Measures a job queue, and verifies that each job runs once."
      USAGE = "mohs jobs [FOLDER] [options]"
      ARGUMENTS = (0..1)

      EXAMPLES = <<~'TEXT'

        The application's own queue runs batches of jobs that do nothing: Active Job
        with any adapter, Sidekiq or Litejob. Nothing in the application changes
        (mohs docs jobs).

          mohs jobs                                   the application in this folder
          mohs jobs ../shop --worker "sidekiq -c 5"   a process beside the server
          mohs jobs --worker bin/jobs --variant 3.4.5 --variant "3.4.5 --yjit"
                                                      does YJIT help?
          mohs jobs --service redis --worker sidekiq  with a private Redis

      TEXT
      private_constant :EXAMPLES

      # Options whose text Study::Jobs.parse takes.
      TEXTS = {
        worker: ["COMMAND", "a process beside each server that runs the jobs"],
        api: ["NAME", "#{Study::Jobs::APIS.keys.join(', ')} (default: the first one loaded)"],
        limit: ["TIME", "how long a batch may take (default: #{Study::Jobs::LIMIT_S}s)"],
      }.freeze
      private_constant :TEXTS

      private

      def banner = "#{super}\n#{EXAMPLES}"

      def options(parser)
        @given = {}
        parser.about("subject") { batches(parser) }
        @measurement = MeasurementOptions.new(context, tell: method(:tell))
        @measurement.define(parser, requests: false,
                                    connections: "connections kept busy (default: 1)")
        super
      end

      def batches(parser)
        parser.on("--count N", "jobs in a batch (default: #{Study::Jobs::COUNT})") do |text|
          @given[:count] = Options.whole(text, option: "--count")
        end
        TEXTS.each do |name, (value, help)|
          parser.on("--#{name} #{value}", help) { |text| @given[name] = text }
        end
      end

      def look_around = detect_rubies

      def document_kind = "run"

      def declaration
        given = @measurement.declaration
        named = arguments.first && File.expand_path(arguments.first, context.dir)
        raise UsageError, "#{arguments.first} and --app: name one folder." if named && given[:app]

        { app: named || context.dir, **given, jobs: Study::Jobs.parse(**@given) }
      end
    end
  end
end
