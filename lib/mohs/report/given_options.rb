# frozen_string_literal: true

module Mohs
  module Report
    # Options of a command line, to be typed again in another one. The values of secrets are not
    # known (Secrets.mask_argv): the new command reads them from files.
    class GivenOptions
      # Each option that may have a secret value, with the one that reads it from a file.
      OF_FILE = { "-H" => "--header-file", "--header" => "--header-file",
                  "--env" => "--env-file" }.freeze

      # The name in the value of each of these, with what follows it.
      NAME = { "--header-file" => /\A(?:-H|--header=)?(?<name>[^:]+:)/,
               "--env-file" => /\A(?:--env=)?(?<name>[^=]+=)/ }.freeze

      # What the files are called.
      FILE = "FILE"
      private_constant :OF_FILE, :NAME, :FILE

      # Pairs of an option's name and its words, as typed: ["-H", ["-HA: b"]].
      #: (Array[[String, Array[String]]]) -> void
      def initialize(given)
        @given = given
        # --env takes precedence over files, so its file comes after the other files.
        secret, others = given.partition do |option, words|
          option == "--env" && file(option, words)
        end
        @runs = (others + secret).chunk_while do |before, after|
          file(*before) && file(*before) == file(*after)
        end.to_a
      end

      # These and a secret variable of the application.
      #: (String) -> Report::GivenOptions
      def with_secret(name)
        GivenOptions.new([*@given, ["--env", ["--env", "#{name}=#{Secrets::MASK}"]]])
      end

      #: () -> Array[String]
      def words
        number = 0
        @runs.flat_map do |run|
          of_file = file(*run.first)
          of_file ? [of_file, name(number += 1)] : run.flat_map(&:last)
        end
      end

      # What to write into the files; nil if there are none.
      #: () -> String?
      def hint
        texts = files.each.with_index(1).map do |run, number|
          "in #{name(number)}: #{run.map { |one| line(*one) }.join(' and ')}"
        end
        texts.join("; ") if texts.any?
      end

      private

      def files = @runs.select { |run| file(*run.first) }

      def name(number) = files.one? ? FILE : "#{FILE}#{number}"

      # The option that reads it from a file; nil if it is no secret.
      def file(option, words) = (OF_FILE[option] if words.last.include?(Secrets::MASK))

      # "Cookie: ...", "API_KEY=..."
      def line(option, words)
        name = words.last[NAME.fetch(OF_FILE.fetch(option)), :name]
        name.end_with?(":") ? "#{name} ..." : "#{name}..."
      end
    end
  end
end
