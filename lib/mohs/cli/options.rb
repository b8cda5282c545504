# frozen_string_literal: true

require "optparse"

module Mohs
  class CLI
    # OptionParser without abbreviations: what is typed today must not mean another option tomorrow.
    # OptionParser's `require_exact` also rejects --seed=3 up to Ruby 3.1.
    #
    # It keeps what was given as values. Each option is declared once, with what it is about
    # (Invocation::Option::ABOUT), which says which suggested commands repeat it.
    class Options < OptionParser
      # An option as it was given, with its secrets. secrets: the module that reads its values from
      # a file.
      Given = Struct.new(:name, :value, :attached, :about, :secrets, keyword_init: true) do
        #: () -> Invocation::Option
        def masked = Invocation::Option.masked(**to_h)
      end

      # An option whose value may be left out takes the next word only if that is one of its values:
      # "--fleet slurm". Any other word is an argument of the command.
      module NextWord
        #: (String?, Array[String]) { (*untyped) -> untyped } -> Array[untyped]
        def parse(value, words, &)
          super(value || (words.shift if pattern.key?(words.first)), words, &)
        end
      end
      private_constant :NextWord

      # Columns of an option, and of the whole help.
      NAMES, WIDTH = 29, 80

      # Parses an option's integer. OptionParser would read 0x10 and 010 as C does, and has no
      # minimum. Raises UsageError with the option as typed.
      #: (String, option: String, ?least: Integer) -> Integer
      def self.whole(text, option:, least: 1)
        number = Integer(text, 10, exception: false)
        return number if number && number >= least

        kind = least == 1 ? "a positive integer" : "an integer of #{least} or more"
        raise UsageError, "#{option} #{text}: must be #{kind}"
      end

      # Splits the description of an option into lines that fit beside it in the help.
      #: (String) -> Array[String]
      def self.lines(text) = text.scan(/\S.{0,#{WIDTH - NAMES - 1}}(?=\s|\z)/)

      # The options declared in the block are about this.
      #: [T] (String) { () -> T } -> T
      def about(kind)
        raise ArgumentError, kind unless Invocation::Option::ABOUT.include?(kind)

        around, @about = @about, kind
        yield
      ensure
        @about = around
      end

      # Declares an option, as OptionParser does. secrets: see Given.
      #: (*untyped, ?secrets: Module?) { (untyped) -> untyped } -> self
      def on(*words, secrets: nil)
        declaration = words.grep(/\A-/).first
        name, attached = declaration[/\A--?[\w-]+/], declaration.include?("[=")
        about = declared[name] = @about
        super(*words) do |value|
          text = value if value.is_a?(String)
          one = Given.new(name:, value: text, attached:, about:, secrets:)
          next @read << one if @read

          given << one
          yield(value)
        end
      end

      # The names of the options among the words, as declared. Nothing else is done about them; what
      # can't be parsed is skipped.
      #: (Array[String]) -> Array[String]
      def names(words)
        only_reading do |read|
          rest = words.map(&:scrub)
          begin
            permute!(rest)
          rescue ParseError # `rest` is what follows
            retry
          end
          read.map(&:name)
        end
      end

      # The words as values: [arguments, options]. Nothing else is done about them. Raises
      # OptionParser::ParseError.
      #: (Array[String]) -> [Array[String], Array[CLI::Options::Given]]
      def read(words) = only_reading { |read| [permute(words), read] }

      # OptionParser's own options, such as --version, would end mohs.
      #: () -> void
      def add_officious; end

      # What was given, in this order.
      #: () -> Array[CLI::Options::Given]
      def given = @given ||= []

      # What each option is about: { "--get" => "subject" }; nil if that was not declared.
      #: () -> Hash[String, String?]
      def declared = @declared ||= {}

      private

      def only_reading
        yield(@read = [])
      ensure
        @read = nil
      end

      # Breaks the lines of a description here, so that no command has to.
      def make_switch(*)
        super.tap do |switch, *|
          switch.desc.replace(self.class.lines(switch.desc.join(" ")))
          switch.extend(NextWord) if switch.is_a?(Switch::OptionalArgument) &&
                                     switch.pattern.is_a?(CompletingHash)
        end
      end

      def complete(type, name, *)
        search(type, name) { |switch| return [switch, name] }
        raise InvalidOption, name
      end
    end
  end
end
