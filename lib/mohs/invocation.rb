# frozen_string_literal: true

module Mohs
  # What a person typed, as values without secrets: the command, its arguments and its options, from
  # which later commands are suggested. `argv` has the same as words, only to be shown. `lost`:
  # whether an argument had a secret, which is masked, so that it can't be typed again.
  class Invocation < Struct.new(:command, :arguments, :options, :argv, :lost, keyword_init: true)
    # One option. name: "--get", "-H", however it was typed. value: its text; nil: it takes none, or
    # had none. attached: whether the value belongs into the same word, as it may be left out:
    # --fleet=slurm. about: one of ABOUT; nil: not declared, so no suggestion repeats it. secret: if
    # a secret in the value is masked that a file can replace, { file: the option that reads it from
    # a file, line: what to write into that file, without the secret }; else nil. lost: whether one
    # is masked that no file can replace, so that it can't be typed again.
    class Option < Struct.new(:name, :value, :attached, :about, :secret, :lost,
                              keyword_init: true)
      include Value

      # What an option is about. subject: what is measured, and how; the next measurement of the
      # same needs it, too. variants: what is compared. revisions: which revisions are, which have a
      # commit of their own in the result. extent: how much is measured, in which order, and when
      # that is enough. output: what happens to the result.
      ABOUT = %w[subject variants revisions extent output].freeze

      # The option without its secrets. secrets: the module that reads the values from a file (see
      # CLI::EnvFile), for an option that may have secret ones.
      #: (name: String, value: String?, attached: bool, about: String?, ?secrets: Module?) -> Invocation::Option
      def self.masked(name:, value:, attached:, about:, secrets: nil)
        shown = value && Secrets.mask_argv([name, value]).last
        masked = shown != value
        secret = { file: secrets::OPTION, line: secrets.line(shown) } if secrets && masked
        new(name:, value: shown, attached:, about:, secret:, lost: masked && secret.nil?)
      end

      #: (?lost: bool, **untyped) -> void
      def initialize(lost: false, **values)
        super
      end

      # As it can be typed: with a word of its own for the value, unless it is attached.
      #: () -> Array[String]
      def words = attached && value ? ["#{name}=#{value}"] : [name, *value]
    end

    #: (command: String, ?arguments: Array[String], ?options: Array[Invocation::Option], ?argv: Array[String]) -> void
    def initialize(command:, arguments: [], options: [], argv: [])
      shown = Secrets.mask_argv(arguments)
      super(command:, options:, argv: Secrets.mask_argv(argv), arguments: shown,
            lost: shown != arguments)
      freeze
    end

    # As documented in docs/json.md.
    #: () -> Hash[Symbol, untyped]
    def to_h = { command:, arguments:, options: options.map(&:to_h), lost: }
  end
end
