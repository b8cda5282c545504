# frozen_string_literal: true

require "json"
require "open3"

module Mohs
  # A file with a line of JSON for each unit of work, each with its `kind`. Lines already there
  # count, so several sessions of a benchmark add up.
  class LinesLedger
    # What a line keeps of when, and by which commit of mohs, it was measured.
    #: () -> { commit: String, date: String }
    def self.origin
      commit, = Open3.capture2("git", "-C", __dir__, "rev-parse", "--short=8", "HEAD")
      { commit: commit.chomp, date: Time.now.strftime("%F") }
    end

    #: (String) -> void
    def initialize(path)
      @path = path
    end

    # The lines of a kind, in their order.
    #: (String) -> Array[Hash[String, untyped]]
    def of(kind) = all.select { |one| one["kind"] == kind }

    # All lines.
    #: () -> Array[Hash[String, untyped]]
    def all
      File.exist?(@path) ? File.readlines(@path).map { |line| JSON.parse(line) } : []
    end

    # Appends a line and prints its values.
    #: (Hash[Symbol, untyped]) -> void
    def keep(line)
      File.write(@path, "#{JSON.generate(line)}\n", mode: "a")
      puts line.values.join(" ")
    end
  end
end
