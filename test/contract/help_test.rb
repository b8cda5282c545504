# frozen_string_literal: true

require "test_helper"

# What every page of the help has to be, whatever it explains: of the list, of each command and of
# each topic.
class HelpTest < Mohs::TestCase
  include Mohs::CLIHelper

  # Of a terminal that nobody has widened.
  COLUMNS = 80

  NAMES = [*Mohs::CLI::COMMANDS, *Mohs::CLI::Topics::ALL.keys, "version"].freeze
  PAGES = [%w[help], *NAMES.map { |name| ["help", name] },
           *(Mohs::CLI::COMMANDS - %w[help]).map { |name| [name, "--help"] }].freeze

  PAGES.each do |argv|
    test "`mohs #{argv.join(' ')}` fits a terminal of #{COLUMNS} columns" do
      output = mohs(*argv)

      assert_equal [0, ""], [output.status, output.err]
      refute_empty output.out
      wide = output.out.lines(chomp: true).select { |line| line.length > COLUMNS }
      assert_empty wide
    end
  end
end
