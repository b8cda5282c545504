# frozen_string_literal: true

require "test_helper"
require_relative "../../../rakelib/support/mutants"

module Mutants
  class EquivalentsTest < Mohs::TestCase
    ROOT = File.expand_path("../../..", __dir__)
    ENTRY = { "file" => "toy.rb", "before" => "a < b", "after" => "a <= b",
              "why" => "never equal" }.freeze

    test "an entry names a mutation by its text, wherever the lines have moved" do
      mutations = Operators.of("toy.rb", "\n\na < b\n")
      equivalents = Equivalents.new([ENTRY])

      assert(mutations.one? { |mutation| equivalents.include?(mutation) })
      assert_empty equivalents.stale(mutations, ["toy.rb"])
    end

    test "an entry whose code is gone is stale; without a reason it is none" do
      assert_equal ["toy.rb  a < b  a <= b"], Equivalents.new([ENTRY]).stale([], ["toy.rb"])
      assert_empty Equivalents.new([ENTRY]).stale([], ["other.rb"])
      assert_raises(Error) { Equivalents.new([ENTRY.merge("why" => " ")]) }
    end

    test "those of this house are about code that is there" do
      equivalents = Equivalents.load("#{ROOT}/rakelib/support/mutants/equivalent.yml")
      mutations = equivalents.files.flat_map do |file|
        Operators.of(file, File.read("#{ROOT}/#{file}", encoding: "UTF-8"))
      end

      refute_empty mutations
      assert_empty equivalents.stale(mutations, equivalents.files)
    end
  end
end
