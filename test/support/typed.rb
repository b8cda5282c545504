# frozen_string_literal: true

module Mohs
  # What a command line is to mohs, without doing what its options do: files that they name need not
  # exist.
  module Typed
    # Parses, and does nothing else.
    class Parser < CLI::Options
      def on(*words, **options) = super(*words, **options) { nil }
    end

    module_function

    def parser(command)
      made = CLI.command(command).new(CLI::Context.new, [], name: command)
      Parser.new do |parser|
        made.send(:options, parser)
        parser.about("output") { made.send(:general, parser) }
      end
    end

    def invocation(*argv, command: "run")
      parser = parser(command)
      arguments = parser.permute(argv)
      Invocation.new(command:, arguments:, options: parser.given.map(&:masked), argv:)
    end

    # As in a document, and in the store.
    def provenance(...)
      typed = invocation(...)
      { seed: nil, argv: typed.argv, invocation: typed.to_h, versions: {} }
    end
  end
end
