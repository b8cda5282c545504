# frozen_string_literal: true

require "test_helper"

class ImportersSourceTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-importers"

  Source = Mohs::Importers::Source

  def with_source(bytes)
    with_files do |folder|
      File.binwrite(path = File.join(folder, "x"), bytes)
      yield Source.new(path)
    end
  end

  def lines(source, **options)
    found = []
    source.each_line(**options) { |line, number| found << [number, line] }
    found
  end

  test "lines come one by one, in valid UTF-8" do
    with_source("a\r\nb\xff\n\nc") do |source|
      assert_equal [[1, "a"], [2, "b?"], [3, ""], [4, "c"]], lines(source)
    end
  end

  test "a line ends where its quotes are closed, if they count" do
    with_source("a,\"b\nc\",d\ne\n") do |source|
      assert_equal [[1, "a,\"b\nc\",d"], [2, "e"]], lines(source, quotes: true)
      assert_equal 3, lines(source).size
    end
    with_source("a,\"b\nnever closed\n") do |source|
      assert_equal [[1, "a,\"b\nnever closed"]], lines(source, quotes: true)
    end
  end

  test "a line without end, quoted or not, is an error and not kept" do
    with_source("\"#{"a\n" * (3 << 19)}") do |source|
      error = assert_raises(Mohs::UsageError) { lines(source, quotes: true) }
      assert_said(error.message)
    end
    with_source("x" * (5 << 20)) do |source|
      assert_raises(Mohs::UsageError) { lines(source) }
    end
  end

  test "what is no regular file is not read" do
    with_files do |folder|
      [folder, File.join(folder, "none"), "/dev/zero"].each do |path|
        error = assert_raises(Mohs::UsageError) { Source.new(path) }
        assert_said(error.message)
      end
    end
  end

  test "a document that is no object is an error" do
    with_source("[1]") { |source| assert_raises(Mohs::UsageError) { source.json } }
  end
end
