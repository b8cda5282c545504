# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs help`: lists the commands, and topics that belong to several commands.
    class Help < Base
      SUMMARY = "Lists commands, or explains one, or a topic."
      USAGE = "mohs help [COMMAND|TOPIC]"
      ARGUMENTS = (0..1)

      private

      def execute
        return overview if arguments.empty?

        name = arguments.first
        text = manual_of(name)
        answer("help", commands: [{ name:, manual: text }]) { text }
      end

      def manual_of(name)
        return Topics::ALL.fetch(name).last if Topics::ALL.key?(name)
        return CLI.command(name).new(context, [], name:).manual if CLI.command?(name)

        return Topics::WORDS if Topics.explains?(name)

        raise UsageError, "unknown command or topic #{name.inspect}. #{hint(name)}"
      end

      def hint(name)
        option(name) || near(name)
      end

      # Where the option of this name is explained; nil if there is none, or if a topic is meant.
      def option(name)
        option = "--#{name.delete_prefix('--')}"
        commands = CLI.having(option, context)
        return if commands.empty? || Suggest.nearest(name, Topics::ALL.keys)

        "#{option} is an option of #{Wording.few(commands, SHOWN)}: mohs help #{commands.first}"
      end

      def near(name)
        known = CLI::COMMANDS + Topics::ALL.keys
        listed = "Known: #{known.join(', ')}."
        Suggest.hint(name, known + Topics::EXPLAINED, otherwise: listed) do |near|
          "mohs help #{near}"
        end
      end

      def overview
        rows = CLI::COMMANDS.map { |name| [name, CLI.command(name)::SUMMARY] }
        documents = rows.map { |name, summary| { name:, summary: } }
        answer("help", commands: documents) { <<~TEXT }
          mohs measures how fast Ruby serves your application, under the Rubies of this
          machine.

            mohs                  measures the application in this folder: its own Ruby
                                  and the newest that its Gemfile allows, each with and
                                  without YJIT
            mohs --get /products  the same, with the request that you name
            mohs --all            the same, under every Ruby and with each JIT

          #{columns(rows, 'mohs')}
          #{columns(Topics::ALL.map { |name, (summary, _)| [name, summary] }, 'mohs help')}
          Options of a command: mohs help COMMAND. Version: mohs --version.
          Exit status: 0 ok, 1 something was not measured, 2 wrong usage, 3 wrong study
          file, 4 something is missing on this host, 130 after Ctrl-C.
        TEXT
      end

      def columns(rows, command)
        Report::Terminal::Columns.new(rows.map { |name, text| ["  #{command} #{name}", text] })
      end
    end
  end
end
