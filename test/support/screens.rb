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
      @said = @said.to_i + 1
      key = "#{name.delete_prefix('test_').tr('_', ' ')} (#{@said})"
      path = File.join(FOLDER, "#{self.class::SAID}.txt")
      golden = File.exist?(path) ? sections(path) : {}
      text = texts.join("\n")
      write_sections(path, { **golden, key => text }) if ENV["MOHS_UPDATE_SCREENS"]

      assert_equal ENV["MOHS_UPDATE_SCREENS"] ? text : golden.fetch(key), text
    end

    # What is said in each of several cases: { what was given => the text }. Folders of tests have
    # another name each time.
    def assert_told(name, told)
      text = told.map { |given, said| "#{given.chomp}\n  => #{said.chomp}\n" }.join("\n")
      assert_golden(name, text.gsub(%r{/\S*/mohs-test[\w-]+}, "/folder").gsub(Mohs.root, "/mohs"))
    end

    private

    # { key: text } of a file in which each key stands above its text.
    def sections(path)
      File.read(path, encoding: "UTF-8").split(/^## /).drop(1).to_h do |part|
        key, text = part.split("\n", 2)
        [key, text.chomp("\n\n")]
      end
    end

    def write_sections(path, texts)
      File.write(path, texts.sort.map { |key, text| "## #{key}\n#{text}\n\n" }.join)
    end
  end
end
