# frozen_string_literal: true

module Mohs
  # The tables of options in docs/cli.md, made from what each command declares (CLI::Options), so
  # that an option is described once: in its declaration. A comment says whose options a table has.
  class OptionsPage
    PAGE = File.join(Mohs.root, "docs/cli.md")
    # <!-- options of compare, without run --> begins a table.
    PART = /^<!--\ options\ of\ (?<commands>[\w,\ -]+?)(?:,\ without\ (?<known>[\w-]+))?\ -->$
            .*?^<!--\ end\ of\ options\ -->\n/mx
    ENDING = "<!-- end of options -->\n"
    # An option's default, in its description.
    DEFAULT = / \(default: ((?:[^()]|\(\g<1>\))*)\)/
    # Of every command; the page begins with them.
    GENERAL = %w[--json --debug --help].freeze

    # names: as they are typed, with the value. text: the whole description.
    Option = Struct.new(:command, :names, :text, keyword_init: true) do
      #: () -> String
      def meaning = text.sub(DEFAULT, "")

      #: () -> String
      def default = text[DEFAULT, 1].to_s
    end

    # Writes the tables of the page anew.
    #: () -> void
    def self.write = File.write(PAGE, new.in(page))

    #: () -> String
    def self.page = File.read(PAGE, encoding: "UTF-8")

    # What a command declares.
    #: (String) -> Array[OptionsPage::Option]
    def self.options(command)
      made = CLI.command(command).new(CLI::Context.real(env: {}), [], name: command)
      switches = made.parser.top.list.grep(OptionParser::Switch)
      switches.reject { |switch| GENERAL.intersect?(switch.long) }.map do |switch|
        *others, last = [*switch.short, *switch.long]
        names = [*others, "#{last}#{switch.arg}"]
        Option.new(command:, names:, text: switch.desc.join(" "))
      end
    end

    # `page` with its tables made anew.
    #: (String) -> String
    def in(page)
      page.gsub(PART) do |part|
        found = Regexp.last_match
        commands = found[:commands].split(", ")
        "#{part.lines.first}\n#{table(commands, found[:known])}\n\n#{ENDING}"
      end
    end

    # The commands whose options a page has in tables.
    #: (String) -> Array[String]
    def self.commands(page)
      page.to_enum(:scan, PART).flat_map { Regexp.last_match[:commands].split(", ") }
    end

    private

    def table(commands, known)
      options = commands.flat_map { |command| own(command, known) }
      columns = { command: commands.size > 1, option: true, meaning: true,
                  default: options.any? { |one| !one.default.empty? } }
      head = columns.select { |_, shown| shown }.keys
      [head, head.map { "---" }, *options.map { |option| cells(option).values_at(*head) }]
        .map { |row| "| #{row.join(' | ')} |" }.join("\n")
    end

    # Without those that another command declares in the same words.
    def own(command, known)
      others = known ? self.class.options(known).map { |one| [one.names, one.text] } : []
      self.class.options(command).reject { |one| others.include?([one.names, one.text]) }
    end

    def cells(option)
      names = option.names.map { |name| "`#{name}`" }.join(", ")
      { command: "`mohs #{option.command}`", option: names, meaning: option.meaning,
        default: option.default }.transform_values { |text| text.gsub("|", "\\|") }
    end
  end
end
