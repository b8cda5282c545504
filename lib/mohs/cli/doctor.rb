# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs doctor`: whether this host can be trusted, and what should be changed.
    class Doctor < Base
      SUMMARY = "Says if this machine is fit for benchmarks, and what to change."
      USAGE = "mohs doctor [options]"
      MOST_S = 60

      private

      def options(parser)
        @seconds = Mohs::Doctor::SECONDS
        parser.on("--all", "list passed checks too") { @all = true }
        parser.on("--seconds N", "keep every core busy for N seconds (#{@seconds})") do |text|
          @seconds = Options.whole(text, option: "--seconds")
        end
        parser.on("--checks-only", "skip the measurement of an app against itself") do
          @checks_only = true
        end
        parser.on("--app DIR", "the app to measure (default: this folder's)") do |dir|
          @app = File.expand_path(dir, context.dir)
        end
        parser.on("--fix", "change settings that are safe and can be undone (root)") { @fix = true }
        parser.on("--undo", "undo what --fix changed (root)") { @undo = true }
        parser.on("--quiet", "no progress") { @quiet = true }
      end

      def execute
        check_values
        changes = change
        say("keeping every core busy for #{@seconds} s")
        results = context.doctor.examine(seconds: @seconds, wait: method(:wait))
        document = Report::DoctorModel.document(results, changes:, seconds: @seconds, self_test:)
        answer("doctor", document) do
          Report::Terminal::DoctorScreen.new(document, style: context.style(context.out),
                                                       all: @all).to_s
        end
      end

      # nil if not requested or impossible; the other checks are still made.
      def self_test
        return if @checks_only

        app = @app || (App::Folder.app?(context.dir) ? context.dir : Run.hello)
        say("measuring #{File.basename(app)} against itself")
        Mohs::Compare::SelfTest.new(experiment, app:)
                               .call { |run| context.document.call(run)[:sentence] }
      rescue EnvironmentError, UsageError => error
        say("could not measure it: #{error.message}")
        nil
      end

      def check_values
        raise UsageError, "--fix and --undo can't be combined." if @fix && @undo
        raise UsageError, "--seconds #{@seconds}: #{MOST_S} at most" if @seconds > MOST_S
      end

      # nil if no change was requested.
      def change
        return unless @fix || @undo

        fixes = context.doctor.fixes(env: context.env)
        @fix ? fixes.fix : fixes.undo
      end

      def wait(holder)
        user = " of #{holder.user}" if holder&.user
        say("waiting for another mohs#{" (process #{holder.pid}#{user})" if holder&.pid}")
      end

      def say(text)
        context.err.puts("mohs doctor: #{text}") unless @quiet
      end
    end
  end
end
