# frozen_string_literal: true

module Mohs
  module Report
    # A command that mohs proposes to type, as values: what a person typed for a run (Invocation)
    # with some settings changed, or a command of its own. `command`: nil for plain `mohs`;
    # `arguments`: words, `lost` if one of them is masked; `options`: [Invocation::Option]. Secret
    # values are not known: the command reads them from files. Every reader of a proposal (terminal,
    # page, Markdown, JSON) shows `line` or, where there is room for the hint, `to_s`.
    class Proposal < Struct.new(:command, :arguments, :options, :lost, keyword_init: true)
      include Value

      # Settings whose options have other names than they do.
      NAMES = { variants: "--variant" }.freeze
      # How the names of settings end whose values are typed with a unit, in place of which options
      # have nothing, and the methods of Numbers that write these values.
      UNITS = { "_s" => :rough_option, "_share" => :option_percent }.freeze

      # What files with secrets are called.
      FILE = "FILE"
      # The option that reads variables from a file.
      ENV_FILE = "--env-file"
      private_constant :FILE, :ENV_FILE

      # What was typed; nil if it is not known. invocation: as in a document (Invocation#to_h).
      #: (Hash[Symbol, untyped]?) -> Report::Proposal?
      def self.of(invocation)
        return unless invocation

        options = invocation[:options].map { |one| Invocation::Option.new(**one) }
        new(**invocation.slice(:command, :arguments, :lost), options:)
      end

      # What was typed for this command about the rest; nil if another command was typed, if nothing
      # is known of it, or if it can't be typed again. provenance: as in a document.
      #: (Hash[Symbol, untyped], command: String?, ?about: Array[String]) -> Report::Proposal?
      def self.typed_for(provenance, command:, about: Invocation::Option::ABOUT)
        typed = of(provenance[:invocation])
        return unless typed && typed.command == command

        kept = typed.about(*about)
        kept if kept.whole?
      end

      # A command of its own.
      #: (String?, *String, **untyped) -> Report::Proposal
      def self.to(command, *arguments, **settings)
        new(command:, arguments: arguments.map(&:to_s), options: []).with(**settings)
      end

      # Settings as they are typed as options, for a sentence that says what they would do:
      # "--budget 5m".
      #: (**untyped) -> String
      def self.typed(**settings) = Shell.command(options(**settings).flat_map(&:words))

      #: (**untyped) -> Array[Invocation::Option]
      def self.options(**settings)
        settings.compact.flat_map do |key, values|
          [*values].map { |value| option(option_name(key), value, unit: UNITS[unit(key)]) }
        end
      end

      #: (Symbol) -> String
      def self.option_name(key)
        NAMES.fetch(key) { "--#{key.to_s.delete_suffix(unit(key).to_s).tr('_', '-')}" }
      end

      def self.unit(key) = UNITS.keys.find { |ending| key.end_with?(ending) }

      def self.option(name, value, unit:)
        value = Numbers.public_send(unit, value) if unit
        Invocation::Option.new(name:, value: (value.to_s unless value == true), attached: false)
      end
      private_class_method :option, :unit

      #: (command: String?, arguments: Array[String], options: Array[Invocation::Option], ?lost: bool) -> void
      def initialize(lost: false, **values)
        super
      end

      # The same options with another command and its arguments.
      #: (String?, *String) -> Report::Proposal
      def to(command, *arguments) = changed(command:, arguments:, lost: false)

      # With these settings, in place of those with the same names. A list sets an option several
      # times; true: one without a value; nil: none.
      #: (**untyped) -> Report::Proposal
      def with(**settings)
        others = without(*settings.compact.keys).options
        changed(options: [*others, *Proposal.options(**settings)])
      end

      # Without the options of these settings.
      #: (*Symbol) -> Report::Proposal
      def without(*keys)
        names = keys.map { |key| Proposal.option_name(key) }
        changed(options: options.reject { |one| names.include?(one.name) })
      end

      # With a secret variable of the application, which is read from a file.
      #: (String) -> Report::Proposal
      def with_secret(name)
        secret = { file: ENV_FILE, line: "#{name}=..." }
        changed(options: [*options, Invocation::Option.new(name: "--env", secret:)])
      end

      # With only the options about this (Invocation::Option::ABOUT).
      #: (*String) -> Report::Proposal
      def about(*kinds) = changed(options: options.select { |one| kinds.include?(one.about) })

      # Without the options about this.
      #: (*String) -> Report::Proposal
      def except(*kinds) = changed(options: options.reject { |one| kinds.include?(one.about) })

      # Whether it can be typed: not if it has a secret that no file could replace.
      #: () -> bool
      def whole? = !lost && options.none?(&:lost)

      # What a shell gets.
      #: () -> Array[String]
      def words
        number = 0
        typed = runs.flat_map do |run|
          of_file = file(run.first)
          next [of_file, file_name(number += 1)] if of_file

          run.flat_map(&:words)
        end
        ["mohs", *command, *arguments, *typed]
      end

      # What to write into the files that it names; nil if there are none.
      #: () -> String?
      def hint
        texts = files.each.with_index(1).map do |run, number|
          "in #{file_name(number)}: #{run.map { |one| one.secret[:line] }.join(' and ')}"
        end
        texts.join("; ") if texts.any?
      end

      # As one would type it.
      #: () -> String
      def to_s = Shell.command(words)

      # The same, followed by its hint as a comment.
      #: () -> String
      def line = [to_s, *hint].join(" # ")

      # As documented in docs/json.md.
      #: () -> Hash[Symbol, untyped]
      def to_document
        invocation = { command:, arguments:, options: options.map(&:to_h), lost: }
        { command: to_s, hint:, invocation: }
      end

      private

      def changed(**members) = Proposal.new(**to_h, **members)

      # The options, those that are read from one file together. --env takes precedence over files,
      # so its file comes after the other files.
      def runs
        variables, others = options.partition { |option| file(option) == ENV_FILE }
        (others + variables).chunk_while do |before, after|
          file(before) && file(before) == file(after)
        end.to_a
      end

      def files = runs.select { |run| file(run.first) }

      def file_name(number) = files.one? ? FILE : "#{FILE}#{number}"

      # The option that reads it from a file; nil if it has no secret.
      def file(option) = option.secret&.fetch(:file)
    end
  end
end
