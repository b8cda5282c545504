# frozen_string_literal: true

require "test_helper"
require "json"

# The guides in docs/ are complete, and what they point to exists.
class GuidesTest < Mohs::TestCase
  include Mohs::CLIHelper

  PAGES = Dir[File.join(Mohs.root, "{README,CONTRIBUTING,CHANGELOG}.md"),
              File.join(Mohs.root, "docs/**/*.md")].freeze
  LINK = /\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/
  # Files of the repository as the guides name them, without globs and placeholders.
  PATH = %r{`((?:lib|ext|test|benchmark|apps)/[\w./-]+\.\w+)`}
  RECORDED = Dir[File.join(Mohs.root, "test/fixtures/documents/expected/*.json")].freeze

  def page(name) = File.read(File.join(Mohs.root, "docs", name), encoding: "UTF-8")

  # As GitHub derives them from headings.
  def anchors(path)
    File.read(path, encoding: "UTF-8").scan(/^#+ (.+)$/).flatten.map do |heading|
      heading.downcase.gsub(/[^\p{Word} -]/, "").tr(" ", "-")
    end
  end

  (Mohs::CLI::COMMANDS - %w[help]).each do |command|
    test "cli.md has mohs #{command} and its options" do
      options = mohs("help", command).out.scan(/^ +(?:-\w, )?(--[a-z-]+)/).flatten

      refute_empty options
      assert_includes page("cli.md"), "`mohs #{command}"
      assert_empty(options.reject { |option| page("cli.md").match?(/`[^`]*#{option}(?![a-z-])/) })
    end
  end

  test "the changelog says of every command what it does" do
    page = File.read(File.join(Mohs.root, "CHANGELOG.md"), encoding: "UTF-8")
    described = page.scan(/^- (`mohs.*?):/).flatten.join.scan(/`mohs ([\w-]+)/)

    assert_empty Mohs::CLI::COMMANDS - described.flatten
  end

  test "store.md has every table and column" do
    with_files do |dir|
      Mohs::Store.open("sqlite://#{dir}/mohs.db").close
      columns = SQLite3::Database.new("#{dir}/mohs.db").then do |database|
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").flatten
        tables.grep_v(/\Asqlite_/).flat_map { |table| [table, *names(database, table)] }
      end

      assert_empty(columns.uniq.reject { |name| page("store.md").include?("`#{name}`") })
    end
  end

  test "store.md has every figure of a reading, its source, kind and unit" do
    rows = page("store.md").scan(/^\| `(\w+)` \| (\w+) \| (\w+) \| (\w+) \|/)
    measures = Mohs::Analysis::Measures::ALL.values

    assert_equal measures.map { |one| [one.name, one.source, one.kind, one.unit].map(&:to_s) }, rows
  end

  def names(database, table) = database.table_info(table).map { |column| column["name"] }

  test "json.md has every key of what servers attest" do
    rows = RECORDED.flat_map do |path|
      JSON.parse(File.read(path), symbolize_names: true).fetch(:rows, [])
    end
    attested = rows.map { |row| row[:attested] }.reject(&:empty?)
    contract = Mohs::JSONContract.new("What is attested", bare: true)

    refute_empty attested
    faults = attested.flat_map { |facts| contract.faults(facts) }.uniq
    assert_empty faults.grep_v(/ is missing\z/) # older ones lack newer facts
  end

  # `App::Bundle` or `Study`, in code font or an indented block.
  CONSTANT = /(?<![\w:.\/@$-])[A-Z]\w*(?:::[A-Z]\w*)*(?![\w\/-])/

  def constants(text)
    code = text.scan(/`([^`]+)`/).flatten + text.scan(/^ {4}.*$/)
    placeholder = /\A[A-Z]+\z/ # as in `--i-own HOST`
    code.flat_map { |part| part.scan(CONSTANT) }.grep_v(placeholder).uniq
  end

  def constant?(name)
    name.split("::").reduce(Mohs) { |room, part| room.const_get(part, false) }
  rescue NameError, LoadError
    false
  end

  test "every constant that architecture.md names exists" do
    named = constants(page("architecture.md"))

    assert_operator named.count { |name| name.include?("::") }, :>, 80
    assert_empty(named.reject { |name| constant?(name) })
  end

  test "a constant that is gone is found, in code font and in an indented block" do
    gone = constants("`Trial::Gone#call(HOST)`, Gone, `Stats::String`\n\n    Lost.new -> Study\n")

    assert_equal %w[Trial::Gone Stats::String Lost Study], gone
    assert_equal(%w[Trial::Gone Stats::String Lost], gone.reject { |name| constant?(name) })
  end

  PAGES.each do |path|
    name = path.delete_prefix("#{Mohs.root}/")

    test "links and paths of #{name} lead somewhere" do
      text = File.read(path, encoding: "UTF-8")
      dead = text.scan(LINK).reject do |file, anchor|
        target = file.empty? ? path : File.expand_path(file, File.dirname(path))
        File.exist?(target) && (anchor.nil? || anchors(target).include?(anchor))
      end
      gone = text.scan(PATH).flatten.reject { |file| File.exist?(File.join(Mohs.root, file)) }

      assert_empty dead
      assert_empty gone
    end
  end

  SHELF = PAGES.grep(%r{/docs/shelf/(?!README)}).freeze

  test "the shelf lists each of its pages once" do
    listed = page("shelf/README.md").scan(/^\| \[[^\]]+\]\(([\w.-]+)\)/).flatten

    assert_equal SHELF.map { |path| File.basename(path) }.sort, listed.sort
  end
end
