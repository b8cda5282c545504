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

    # What is said in each of several cases: { what was given => the text }. Folders of tests have
    # another name each time.
    def assert_told(name, told)
      text = told.map { |given, said| "#{given.chomp}\n  => #{said.chomp}\n" }.join("\n")
      assert_golden(name, text.gsub(%r{/\S*/mohs-test[\w-]+}, "/folder").gsub(Mohs.root, "/mohs"))
    end
  end
end
