# frozen_string_literal: true

module Mohs
  # What a command line is to mohs, without doing what its options do: files that they name need not
  # exist.
  module Typed
    module_function

    # A parser that does nothing but parse. Made when it is needed: the helper of the tests of
    # mutants loads no file that they mutate.
    def parsing
      @parsing ||= Class.new(CLI::Options) do
        def on(*words, **options) = super(*words, **options) { nil }
      end
    end

    def parser(command)
      made = CLI.command(command).new(CLI::Context.new, [], name: command)
      parsing.new do |parser|
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
