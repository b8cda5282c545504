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

      # Those of a run's invocation for which the block is true; nil if it is not known, or the
      # command was none of these.
      #: (Hash[Symbol, untyped], Array[String]) { (Hash[Symbol, untyped]) -> boolish } -> Report::GivenOptions?
      def self.of(provenance, commands, &)
        invocation = provenance[:invocation]
        new(invocation[:options].select(&)) if invocation && commands.include?(invocation[:command])
      end

      # As in a document's `provenance.invocation.options`.
      #: (Array[Hash[Symbol, untyped]]) -> void
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
        GivenOptions.new([*@given, { name: "--env", secret: }])
      end

      #: () -> Array[String]
      def words
        number = 0
        @runs.flat_map do |run|
          of_file = file(run.first)
          next [of_file, name(number += 1)] if of_file

          run.flat_map { |option| [option[:name], *option[:value]] }
        end
      end

      # What to write into the files; nil if there are none.
      #: () -> String?
      def hint
        texts = files.each.with_index(1).map do |run, number|
          "in #{name(number)}: #{run.map { |option| option[:secret][:line] }.join(' and ')}"
        end
        texts.join("; ") if texts.any?
      end

      private

      def files = @runs.select { |run| file(run.first) }

      def name(number) = files.one? ? FILE : "#{FILE}#{number}"

      # The option that reads it from a file; nil if it has no secret.
      def file(option) = option[:secret]&.fetch(:file)
    end
  end
end
