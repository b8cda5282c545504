# frozen_string_literal: true

module Mohs
  # Golden screens: MOHS_UPDATE_SCREENS=1 writes them anew, to be reviewed before they are kept.
  module Screens
    FOLDER = File.expand_path("../fixtures/screens", __dir__)

    def screen(document, **style)
      Report::Terminal.new(style: Report::Terminal::Style.new(**style)).call(document)
    end

    def assert_golden(name, text)
      path = File.join(FOLDER, "#{name}.txt")
      File.write(path, text) if ENV["MOHS_UPDATE_SCREENS"]

      assert_equal File.read(path, encoding: "UTF-8"), text
    end

    # Sentences that a test is about, in the golden file that its class names (SAID): below the name
    # of the test, in the order in which it asserts them.
    def assert_said(*texts)
      @sentences = @sentences.to_i + 1
      key = "#{name.delete_prefix('test_').tr('_', ' ')} (#{@sentences})"
      path = File.join(FOLDER, "#{self.class::SAID}.txt")
      golden = File.exist?(path) ? said_sections(path) : {}
      text = placeless(texts.join("\n"))
      write_said(path, { **golden, key => text }) if ENV["MOHS_UPDATE_SCREENS"]

      assert_equal ENV["MOHS_UPDATE_SCREENS"] ? text : golden.fetch(key), text
    end

    # What is said in each of several cases: { what was given => the text }.
    def assert_told(name, told)
      text = told.map { |given, said| "#{given.chomp}\n  => #{said.chomp}\n" }.join("\n")
      assert_golden(name, placeless(text))
    end

    # The paragraph of a screen that begins like this: a line, and those that are indented below it.
    def paragraph(text, beginning)
      text[/^( *)#{Regexp.escape(beginning)}.*(?:\n\1 +\S.*)*/] ||
        flunk("no line begins with #{beginning.inspect}:\n#{text}")
    end

    private

    # Folders of tests have another name each time.
    def placeless(text)
      text.gsub(%r{/\S*?/mohs-[a-z]+\d[\w-]*}, "/folder").gsub(Mohs.root, "/mohs")
    end

    # { key: text } of a file in which each key stands above its text.
    def said_sections(path)
      File.read(path, encoding: "UTF-8").split(/^## /).drop(1).to_h do |part|
        key, text = part.split("\n", 2)
        [key, text.chomp("\n\n")]
      end
    end

    def write_said(path, texts)
      File.write(path, texts.sort.map { |key, text| "## #{key}\n#{text}\n\n" }.join)
    end
  end
end
