# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs` and `mohs run [study.yml]`: prepares the study, prints the plan and its time, measures,
    # prints the table.
    class Run < Measuring
      SUMMARY = "Measures this folder's application, or what a file declares."
      USAGE = "mohs [options]    or    mohs run [study.yml] [options]"
      ARGUMENTS = (0..1)
      STUDY_FILE = "study.yml"
      # The application that is measured if there is no other: the smallest one.
      HELLO = "hello"

      # The folder of that application.
      #: () -> String
      def self.hello = File.join(Mohs.root, "apps", HELLO)

      private

      def options(parser)
        @measurement = MeasurementOptions.new(context, tell: method(:tell))
        @measurement.define(parser, streams: true)
        super
      end

      # Plain `mohs` takes no argument: a misspelt command must not be read as a study file.
      def check_arguments
        return super if @name || arguments.empty?

        word = arguments.first
        raise UsageError, "what is #{word.inspect}? A command comes first (mohs #{word} ...), " \
                          "a study file after run (mohs run study.yml)."
      end

      def look_around = detect_rubies

      # The study file's declaration, overridden by the command line. Variants of the command line
      # replace the file's.
      def declaration
        given = @measurement.declaration
        file = study_file
        declared = file ? declared_in(file) : { app: here(given) }
        declared = declared.except(:baseline_from) if given.key?(:baseline)
        declared = declared.except(:matrix) if given.key?(:variants)
        declared = declared.except(:matrix, :variants) if given[:all]
        declared.merge(given) { |key, old, new| key == :env ? old.merge(new) : new }
      end

      def declared_in(file)
        declared = Study::File.load(file, servers: context.servers)
        baseline_from = File.basename(file) if declared.key?(:baseline)
        { **declared, file: typed_file, baseline_from: }.compact
      end

      # The application in this folder, else the one bundled with mohs, unless an option needs the
      # user's own application. (Then a folder without an application is an error.)
      def here(given)
        return given[:app] if given.key?(:app)
        return context.dir if App::Folder.app?(context.dir) || own?(given)

        tell("no config.ru here: measuring the bundled app #{HELLO} (--app DIR names another)")
        Run.hello
      end

      def own?(given)
        given.key?(:requests) || given.key?(:own_config) || given.key?(:own_jit) ||
          given.fetch(:variants, []).any? { |_, notation| notation.revision || notation.gemfile }
      end

      def study_file
        return unless @name

        path = File.expand_path(typed_file, context.dir)
        path if arguments.any? || File.file?(path)
      end

      def typed_file = arguments.first || STUDY_FILE
    end
  end
end
