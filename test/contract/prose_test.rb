# frozen_string_literal: true

require "test_helper"
require "support/repeated_prose"

module Mohs
  # A sentence of the library stands in one golden screen (test/fixtures/screens). Tests assert
  # facts, so that a better wording changes one golden file and no test.
  class ProseTest < TestCase
    # Of all literals that repeat prose of lib (RepeatedProse). Errors without a code, names of
    # parts of pages, and texts that are the input of a test are left.
    LIMIT = 400

    # How many each file has, so that one that is new can be named. MOHS_UPDATE_SCREENS=1 counts
    # anew, unless there are more.
    COUNTS = File.expand_path("../fixtures/repeated_prose.txt", __dir__)

    INSTEAD = <<~TEXT
      New literals repeat prose of lib. Assert the fact instead: a code (reason.code, a check's or a
      note's), values, a number, an outcome, the cells of a View. Where the words themselves are the
      fact, let assert_said or assert_told keep them in a golden file (test/support/screens.rb).
    TEXT

    def noted
      File.foreach(COUNTS).to_h { |line| line.split.then { |count, path| [path, count.to_i] } }
    end

    def note(counts)
      File.write(COUNTS, counts.sort.map { |path, count| "#{count} #{path}\n" }.join)
    end

    test "no test repeats more of the library's prose than before" do
      literals = RepeatedProse.new.literals
      found = literals.map(&:path).tally
      note(found) if ENV["MOHS_UPDATE_SCREENS"] && found.values.sum <= noted.values.sum
      more = literals.select { |one| found.fetch(one.path) > noted.fetch(one.path, 0) }

      assert_empty more, "#{INSTEAD}#{more.join("\n")}"
      assert_operator noted.values.sum, :<=, LIMIT
    end

    # The texts of the test's literals that repeat lib's.
    def repeated(lib, test)
      with_files("lib/a.rb" => lib, "test/a_test.rb" => test) do |folder|
        return RepeatedProse.new(folder).literals.map(&:text)
      end
    end

    test "four adjacent words of a longer literal, or all three of a short one, are repeated" do
      lib = 'raise "the server #{name} is not " "ready yet: wait"'

      assert_equal ["is not ready yet", "so the server is not there", "server is not"],
                   repeated(lib, <<~'RUBY')
                     x "is not ready yet", "so the server is not there", "server is not"
                     x "not ready", "the server was not ready", "it is not that ready"
                   RUBY
    end

    test "regexps, keys, heredocs and interpolated texts are literals, a test's name is none" do
      lib = 'puts "no answer within 5 s"'

      assert_equal [" no answer within  ", "no answer within 7 s\n", "no answer within",
                    "no answer within\\b"],
                   repeated(lib, <<~'RUBY')
                     test "no answer within a minute" do
                       x "#{a}no answer within #{b}", <<~TEXT
                         no answer within 7 s
                       TEXT
                       { "no answer within" => /no answer within\b/ }
                     end
                   RUBY
    end

    test "patterns of lib, its comments, paths, options and codes are no prose" do
      lib = <<~'RUBY'
        # could not find any
        x(/could not find any/, "lib/could/not/find", "could_not_find any of", "--could not find it")
      RUBY

      assert_empty repeated(lib, 'x "could not find any", "could/not/find", "could_not_find"')
    end
  end
end
