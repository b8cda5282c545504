# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class Traffic
      class LinesTest < TestCase
        def lines(text) = Lines.new(StringIO.new(text.b))

        test "the head is yielded again" do
          lines = lines((1..3000).map { |number| "#{number}\r\n" }.join)

          assert_equal ["1", Lines::HEAD.to_s], [lines.head.first, lines.head.last]
          assert_equal (1..3000).map(&:to_s), lines.enum_for(:each).to_a
          assert_equal 3000, lines.count
        end

        test "a line without an end is cut, and counts as one line" do
          long = "x" * ((3 * Lines::LONGEST) + 5)
          lines = lines("a\n#{long}\nb\n#{long}")
          read = lines.enum_for(:each).to_a

          assert_equal [1, Lines::LONGEST, 1, Lines::LONGEST], read.map(&:bytesize)
          assert_equal 4, lines.count
        end

        test "a line that is just as long as may be held is whole, and the next one is another" do
          full = "x" * (Lines::LONGEST - 1)

          assert_equal [full, "b"], lines("#{full}\nb\n").enum_for(:each).to_a
          assert_equal ["#{full}x", "b"], lines("#{full}x\nb\n").enum_for(:each).to_a
        end

        test "lines of a text are counted" do
          lines = lines("a\nb\nc")
          lines.text(100)

          assert_equal 2, lines.count
        end

        test "the text is whole, up to a limit" do
          text = "x" * (2 * Lines::LONGEST)
          lines = lines("#{text}\n")
          lines.head

          assert_equal "#{text}\n", lines.text(1_000_000)
          assert_nil lines(text).text(1000)
          assert_equal "abcd\n", lines("abcd\n").text(5)
          assert_nil lines("abcd\n").text(4)
        end

        test "a gzipped file may end without a line's end before the next" do
          packed = %W[a b\nc].map { |text| Zlib.gzip(text) }.join

          assert_equal %w[a b c], Lines.new(StringIO.new(packed)).enum_for(:each).to_a
        end

        test "padding after a gzipped file is ignored" do
          assert_equal ["hello"], lines(Zlib.gzip("hello\n") + ("\0" * 512)).enum_for(:each).to_a
          assert_empty lines("").enum_for(:each).to_a
        end
      end
    end
  end
end
