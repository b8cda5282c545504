# frozen_string_literal: true

module Mohs
  module Report
    # Options as they were given (Invocation::Option), to be typed again in another command. Secret
    # values are not known: the new command reads them from files.
    class GivenOptions
      # What the files are called.
      FILE = "FILE"
      # The option that reads variables from a file.
      ENV_FILE = "--env-file"
      private_constant :FILE, :ENV_FILE

      # Those of a run's invocation for which the block is true; nil if it is not known, if the
      # command was none of these, or if a secret is lost.
      #: (Hash[Symbol, untyped], Array[String]) { (Invocation::Option) -> boolish } -> Report::GivenOptions?
      def self.of(provenance, commands, &)
        invocation = provenance[:invocation]
        return unless invocation && commands.include?(invocation[:command])

        options = invocation[:options].map { |one| Invocation::Option.new(**one) }.select(&)
        new(options) if options.none?(&:lost?)
      end

      #: (Array[Invocation::Option]) -> void
      def initialize(given)
        @given = given
        # --env takes precedence over files, so its file comes after the other files.
        variables, others = given.partition { |option| file(option) == ENV_FILE }
        @runs = (others + variables).chunk_while do |before, after|
          file(before) && file(before) == file(after)
        end.to_a
      end

      # These and a secret variable of the application.
      #: (String) -> Report::GivenOptions
      def with_secret(name)
        secret = { file: ENV_FILE, line: "#{name}=..." }
        GivenOptions.new([*@given, Invocation::Option.new(name: "--env", secret:)])
      end

      #: () -> Array[String]
      def words
        number = 0
        @runs.flat_map do |run|
          of_file = file(run.first)
          next [of_file, name(number += 1)] if of_file

          run.flat_map(&:words)
        end
      end

      # What to write into the files; nil if there are none.
      #: () -> String?
      def hint
        texts = files.each.with_index(1).map do |run, number|
          "in #{name(number)}: #{run.map { |option| option.secret[:line] }.join(' and ')}"
        end
        texts.join("; ") if texts.any?
      end

      private

      def files = @runs.select { |run| file(run.first) }

      def name(number) = files.one? ? FILE : "#{FILE}#{number}"

      # The option that reads it from a file; nil if it has no secret.
      def file(option) = option.secret&.fetch(:file)
    end
  end
end
