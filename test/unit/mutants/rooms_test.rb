# frozen_string_literal: true

require "test_helper"
require_relative "../../../rakelib/support/mutants/rooms"

module Mutants
  class RoomsTest < Mohs::TestCase
    ROOT = File.expand_path("../../..", __dir__)

    # "a/{b,c}.rb" => ["a/b.rb", "a/c.rb"]: a glob of both finds one where the other is gone.
    def each_of(glob)
      match = glob.match(/\{([^}]*)\}/) or return [glob]

      match[1].split(",").flat_map { |one| each_of("#{match.pre_match}#{one}#{match.post_match}") }
    end

    test "every file and folder that a room names is there" do
      named = ROOMS.values.flatten.flat_map { |glob| each_of(glob) }

      assert_includes named, "lib/mohs/load/limit.rb"
      assert_empty(named.reject { |glob| Dir.glob(glob, base: ROOT).any? })
    end
  end
end
