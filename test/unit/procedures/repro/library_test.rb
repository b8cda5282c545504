# frozen_string_literal: true

require "test_helper"

class ReproLibraryTest < Mohs::TestCase
  include Mohs::Published
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-repro"

  CLAIM = "- {text: A, place: p, not_testable: x}\n"

  test "it has the folders with a published.yml, by their names" do
    with_files({ **published_files(CLAIM), "matrix/study.yml" => "" }) do |folder|
      library = Mohs::Repro::Library.new(folder:)

      assert_equal ["shop-2023"], library.names
      assert_equal ["Rubies under a shop"], library.all.map(&:title)
      assert_equal "shop-2023", library.find("shop-2023", dir: "/").name
    end
  end

  test "a folder of one's own is found by its path, from where one is" do
    with_files(published_files(CLAIM, name: "own/mine")) do |dir|
      library = Mohs::Repro::Library.new(folder: "/nowhere")

      assert_equal "mine", library.find("own/mine", dir:).name
      assert_equal "mine", library.find("mine", dir: "#{dir}/own").name
      assert_equal "mine", library.find("#{dir}/own/mine/", dir: "/").name
    end
  end

  test "an unknown name has the nearest one" do
    with_files(published_files(CLAIM)) do |folder|
      library = Mohs::Repro::Library.new(folder:)
      near = assert_raises(Mohs::UsageError) { library.find("shop-2024", dir: "/") }
      far = assert_raises(Mohs::UsageError) { library.find("x", dir: "/") }

      assert_said(near.message)
      begun = assert_raises(Mohs::UsageError) { library.find("shop", dir: "/nowhere") }
      assert_said(begun.message)
      assert_said(far.message)
    end
  end

  test "every study of the checkout can be read, and has what a study has" do
    Mohs::Repro::Library.new.all.each do |publication|
      folder = File.dirname(publication.file)

      assert File.file?(File.join(folder, "notes.md")), publication.name
      assert_equal %w[full quick], publication.sizes.keys.sort, publication.name
      assert File.file?(File.join(publication.declaration[:app], "config.ru")), publication.name
      assert_empty(publication.figures.map(&:place).select(&:empty?), publication.name)
    end
  end
end
