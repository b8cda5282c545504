# frozen_string_literal: true

require "test_helper"
require "open3"
require "shellwords"

# What the guides say to type is what mohs takes today: commands, options with their values, and
# variants.
class GuideCommandsTest < Mohs::TestCase
  PAGES = Dir[File.join(Mohs.root, "{README,CONTRIBUTING,CHANGELOG}.md"),
              File.join(Mohs.root, "docs/**/*.md")].freeze
  SHELF = PAGES.grep(%r{/docs/shelf/(?!README)}).freeze

  # An indented block: a paragraph of which every line is indented.
  BLOCK = /(?:\A|(?<=\n\n))(?: {4}.*(?:\n|\z))+(?=\n|\z)/
  WORD = /(?:"[^"]*"|'[^']*'|[^\s"'#;|&\\])+/
  # Up to the end of the line, two spaces before what it does, or the next command. A line of output
  # that names mohs ("mohs: no Ruby here") is none.
  COMMAND = /(?:^ {4}(?:\$ )?|; |&& )(mohs(?: #{WORD})*)(?=\s|;|\z)/

  # Commands that take variants: A and B, --variant and --baseline.
  VARIED = [nil, "run", "compare", "tune"].freeze

  # Files that the guides suppose that somebody has.
  STAND_INS = {
    "query.json" => "{}", "order.json" => "{}", "cookie.txt" => "Cookie: a=b\n",
    "secret.env" => "A=1\n",
    **%w[forum.yml apps/forum/scenario.yml].to_h do |path|
      [path, File.read(File.join(Mohs.root, "apps/forum/scenario.yml"), encoding: "UTF-8")]
    end,
  }.freeze

  def self.read(path) = File.read(path, encoding: "UTF-8")

  def self.blocks(text) = text.scan(BLOCK).map { |block| block.gsub(/ \\\n +/, " ") }

  # The words after mohs of each command.
  def self.commands(text)
    blocks(text).flat_map { |block| block.scan(COMMAND).flatten }
                .map { |line| Shellwords.split(line).drop(1) }
  end

  # The blocks that end with mohs and have no output of it.
  def self.scripts(text)
    blocks(text).select { |block| block.lines.last.match?(COMMAND) }
                .grep_v(/^ {4}mohs:/)
                .map { |block| block.gsub(/^ {4}/, "") }
  end

  # Why mohs would not take these words; nil if it does.
  def fault(words, dir)
    name = words.first unless words.first.to_s.start_with?("-")
    command = Mohs::CLI.command(name)
    parser = command.new(context(dir), [], name:).parser
    arguments = parser.permute(words.drop(name ? 1 : 0))
    return "#{arguments.size} arguments" unless command::ARGUMENTS.cover?(arguments.size)

    variants(name, arguments, parser.given).each do |text|
      Mohs::Study::Notation.parse(text, servers: Mohs::Servers)
    end
    nil
  rescue Mohs::Error, OptionParser::ParseError => error
    error.message
  end

  def context(dir) = Mohs::CLI::Context.new(dir:, servers: Mohs::Servers)

  def variants(name, arguments, given)
    return [] unless VARIED.include?(name)

    named = given.select { |one| %w[--variant --baseline].include?(one.name) }.map(&:value)
    name == "compare" ? named + arguments : named
  end

  def faults(text)
    with_files(STAND_INS) do |dir|
      self.class.commands(text).filter_map do |words|
        why = fault(words, dir)
        "mohs #{Shellwords.join(words)}: #{why}" if why
      end
    end
  end

  test "what a guide says that mohs doesn't take is found, and nothing else is" do
    page = <<~TEXT
      In prose mohs measures.

          $ mohs --get /products --nothing     what it does
          mohs compare 3.4.5 && mohs track a; mohs histories a
          mohs --variant puma:1x5x9 \\
            --budget soon

      - a list
        mohs is no command here

          mohs: no Ruby here is allowed
          mohs compare 3.4.5 "3.4.5 --yjit" --get / # as ever
    TEXT

    assert_equal 6, self.class.commands(page).size
    assert_equal ["mohs --get", "mohs compare 3.4.5:", "mohs histories", "mohs --variant"],
                 faults(page).map { |text| text[/mohs (?:compare 3.4.5:|\S+)/] }
  end

  PAGES.each do |path|
    text = read(path)
    next if commands(text).empty?

    test "mohs takes the commands of #{path.delete_prefix("#{Mohs.root}/")}" do
      assert_empty faults(text)
    end
  end

  SHELF.each do |path|
    name, text = File.basename(path), read(path)

    test "what shelf/#{name} says to type is a script for a shell" do
      scripts = self.class.scripts(text)

      refute_empty scripts
      scripts.each do |script|
        said, status = Open3.capture2e("sh", "-n", stdin_data: script)
        assert_predicate status, :success?, said
        cloned = script.scan(%r{git clone \S.*?/([\w.-]+)(?: &&|$)}).flatten
        # An application may be in a folder of its repository.
        assert_equal cloned, script.scan(%r{\bcd ([^\s/]+)}).flatten
      end
    end
  end
end
