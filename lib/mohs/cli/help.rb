# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs help`: the commands.
    class Help < Base
      SUMMARY = "Lists commands, or the options of one."
      USAGE = "mohs help [COMMAND]"
      ARGUMENTS = (0..1)

      private

      def execute
        return overview if arguments.empty?

        text = CLI.command(arguments.first).new(context, [], name: arguments.first).manual
        answer("help", commands: [{ name: arguments.first, manual: text }]) { text }
      end

      def overview
        rows = CLI::COMMANDS.map { |name| [name, CLI.command(name)::SUMMARY] }
        documents = rows.map { |name, summary| { name:, summary: } }
        answer("help", commands: documents) { <<~TEXT }
          mohs measures how fast Ruby serves your application, under every Ruby on this machine.

            mohs                  measures the application in this folder
            mohs --get /products  the same, with the request that you name

          #{Report::Terminal::Columns.new(rows.map { |name, summary| ["  mohs #{name}", summary] })}
          Options of a command: mohs help COMMAND. Its version: mohs --version.
          Exit status: 0 ok, 1 something was not measured, 2 wrong usage, 3 wrong study file, 4 something is
          missing on this host, 130 after Ctrl-C.
        TEXT
      end
    end
  end
end
