# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs doctor`: can this host be trusted, and what to change.
    class Doctor < Base
      SUMMARY = "Says whether this host can be trusted, and what to change."
      USAGE = "mohs doctor [options]"
      MOST_S = 60

      private

      def options(parser)
        @seconds = Mohs::Doctor::SECONDS
        parser.on("--all", "show what is well, too") { @all = true }
        parser.on("--seconds N", "spin on every core for so long (3)") do |text|
          @seconds = WholeNumber.parse(text, option: "--seconds")
        end
        parser.on("--checks-only", "don't measure how long a difference takes to be seen") do
          @checks_only = true
        end
        parser.on("--app DIR", "with which application (default: this folder's)") do |dir|
          @app = File.expand_path(dir, context.dir)
        end
        parser.on("--fix", "change what can safely be changed and undone (root)") { @fix = true }
        parser.on("--undo", "put back what --fix changed (root)") { @undo = true }
        parser.on("--quiet", "no progress") { @quiet = true }
      end

      def execute
        check_values
        changes = change
        say("spins on every core for #{@seconds} s")
        results = context.doctor.examine(seconds: @seconds, wait: method(:wait))
        document = Report::DoctorModel.document(results, changes:, seconds: @seconds, self_test:)
        answer("doctor", document) do
          Report::Terminal::DoctorScreen.new(document, style: context.style(context.out),
                                                       all: @all).to_s
        end
      end

      # nil where it was not wanted, or can't be: the checks stay.
      def self_test
        return if @checks_only

        app = @app || (App::Folder.app?(context.dir) ? context.dir : Run.hello)
        say("measures #{File.basename(app)} against itself")
        Mohs::Doctor::SelfTest.new(context.laboratory.call, app:).call
      rescue EnvironmentError, UsageError => error
        say("could not measure it: #{error.message}")
        nil
      end

      def check_values
        raise UsageError, "--fix and --undo exclude each other." if @fix && @undo
        raise UsageError, "--seconds #{@seconds}: #{MOST_S} at most" if @seconds > MOST_S
      end

      # nil where nothing was asked to be changed.
      def change
        return unless @fix || @undo

        fixes = context.doctor.fixes(env: context.env)
        @fix ? fixes.fix : fixes.undo
      end

      def wait(pid) = say("waits for another mohs#{" (process #{pid})" if pid}")

      def say(text)
        context.err.puts("mohs doctor #{text}") unless @quiet
      end
    end
  end
end
