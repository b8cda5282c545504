# frozen_string_literal: true

require "test_helper"
require_relative "../../rakelib/support/options_page"

class OptionsPageTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-others"

  Page = Mohs::OptionsPage

  TABLES = <<~TEXT
    Before.

    <!-- options of compare, without run -->
    | stale |
    <!-- end of options -->

    Between.

    <!-- options of gc, fleet -->
    <!-- end of options -->
  TEXT

  def rows(page) = page.lines.grep(/^\| `/)

  test "docs/cli.md is what rake docs:cli makes" do
    assert_equal Page.new.in(Page.page), Page.page
  end

  test "docs/cli.md has the options of every command, once" do
    commands = Mohs::CLI::COMMANDS + Mohs::CLI::UNLISTED

    assert_equal commands.sort, Page.commands(Page.page).sort
  end

  test "a table is made anew, and what stands around it stays" do
    made = Page.new.in(TABLES)

    assert_equal %w[Before. Between.], made.lines(chomp: true).grep(/\.\z/).grep_v(/^\|/)
    refute_includes made, "stale"
    assert_equal made, Page.new.in(made)
  end

  test "a table has a command's own options in their order, with their defaults" do
    own = rows(Page.new.in(TABLES)).grep(/^\| `-/)

    assert_equal(%w[--rate --metric --margin --precision --quick --gate],
                 own.map { |row| row[/--\w+/] })
    assert_said(own[2])
  end

  test "a table of several commands says whose each option is" do
    of_two = rows(Page.new.in(TABLES)).grep(/^\| `mohs/)

    assert_equal %w[gc fleet], of_two.map { |row| row[/mohs (\w+)/, 1] }.uniq
    assert_includes of_two.last(4).map { |row| row[/`(--[^`]+)/, 1] }, "--ruby PATH"
  end

  test "every option that the prose of docs/cli.md names is declared" do
    declared = Page.commands(Page.page).flat_map { |name| Page.options(name) }
                   .flat_map(&:names).map { |name| name[/--?[\w-]+/] }
    prose = Page.page.scan(/`mohs[^`]*`|`(?:-\w, )?--[\w-]+[^`]*`/).join(" ")
    # Of Rubies, Docker and exe/mohs.
    others = %w[--yjit --jit --disable-yjit --engine --network --version]

    assert_empty prose.scan(/(?<![\w-])--[\w-]+/).uniq - declared - Page::GENERAL - others
  end
end
