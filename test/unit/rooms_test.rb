# frozen_string_literal: true

require "test_helper"

# Which room may name which: docs/architecture.md in a form that fails.
class RoomsTest < Mohs::TestCase
  # Lowest first: a room names those before it, never one behind it.
  ORDER = %w[
    value reason errors version clock suggest wording shell printable log_excerpt host_name loopback
    interruption path_safety folders atomic_file bounded_file json_file
    family stats profile process caches http secrets invocation rubies servers fronts services app
    procedure study plan store load analysis probes drivers agent trial doctor cohort
    verification report exporters rounds repro load_run compare tune track importers runner fleet
    experiment bisect gate web cli
  ].freeze

  # Runs inside the measured servers, never in ours.
  ELSEWHERE = %w[inside].freeze

  # Read once: the tests only look at them.
  def self.rooms = @rooms ||= Mohs::Rooms.new(File.join(Mohs.root, "lib/mohs"), except: ELSEWHERE)

  def rooms = self.class.rooms

  test "every room has its place in the order, and every place its room" do
    assert_equal ORDER.sort, rooms.names
  end

  test "architecture.md gives this order" do
    page = File.read(File.join(Mohs.root, "docs/architecture.md"), encoding: "UTF-8")

    assert_includes page.split.join(" "), ORDER.join(" ")
  end

  test "no room names one above it" do
    found = rooms.backwards(ORDER)
    named = found.map { |(from, to), files| "#{from} -> #{to}: #{files.join(', ')}" }
    assert_empty found, named.join("\n")
  end

  test "the report infers nothing" do
    assert_empty rooms.edges.fetch(%w[report stats], [])
  end

  # Ways to name a constant that no scan of constants sees. The family loads its members by name,
  # rooms below the procedures find theirs by Procedure,
  # the command line its commands, lib/mohs.rb what every room stands on.
  HIDDEN = /\b(const_get|autoload|require_relative)\b|require "mohs\/(?!core")/
  MAY_HIDE = %w[family procedure cli rubies/engines/cruby].freeze

  test "no room names another in a way that the scan does not see" do
    hidden = rooms.paths.select { |path, file| !MAY_HIDE.include?(path) && hides?(File.read(file)) }

    assert_empty hidden.keys
    assert(["Mohs.const_get(:Report)", "autoload :Report, \"x\"", 'require_relative "../report"',
            'require "mohs/report"'].all? { |code| hides?(code) })
    refute hides?('require "mohs/core"')
  end

  LOW = "module Mohs; module Low; LIMIT = 1; end; end"

  test "an import that runs backwards is found, whichever way it is written" do
    ["Mohs::High.new", "High::LIMIT", "::Mohs::High.new", "x = High", "def y(z = High) = z",
     "class B < High; end", "rescue_me rescue High::Error", "\"\#{High.name}\"",
     "def y = a { |b| [*b, High.c] }"].each do |code|
      assert_equal [%w[low high]], backwards("module Mohs; module Low; #{code}; end; end"), code
    end
  end

  test "a constant of the room's own, or of Ruby's, is no import though it is called as a room" do
    ["class High; end; High.new", "::High.new", "Other::High", "high.new", "HIGH = 1",
     "# High.new", "\"High\"", ":High",
     "module Inner; class High; end; def y = High; end"].each do |code|
      assert_empty backwards("module Mohs; module Low; #{code}; end; end"), code
    end
  end

  test "an import that runs in the order is none of them" do
    files = { "low.rb" => LOW, "high.rb" => "module Mohs; class High; A = Low::LIMIT; end; end" }
    with_files(files) do |folder|
      rooms = Mohs::Rooms.new(folder)
      assert_equal({ %w[high low] => ["high"] }, rooms.edges)
      assert_empty rooms.backwards(%w[low high])
      assert_equal [%w[high low]], rooms.backwards(%w[high low]).keys
    end
  end

  test "a file below a room's folder belongs to the room, and what is left out is not looked at" do
    files = { "low.rb" => LOW, "low/deep/er.rb" => "module Mohs; High; end",
              "inside/x.rb" => "module Mohs; High; end",
              "high.rb" => "module Mohs; class High; end; end" }
    with_files(files) do |folder|
      rooms = Mohs::Rooms.new(folder, except: %w[inside])
      assert_equal [%w[high low], { %w[low high] => ["low/deep/er"] }], [rooms.names, rooms.edges]
    end
  end

  private

  def hides?(code) = code.lines.any? { |line| !line.lstrip.start_with?("#") && HIDDEN.match?(line) }

  def backwards(code)
    high = "module Mohs; class High; LIMIT = 2; class Error < StandardError; end; end; end"
    other = "module Mohs; module Other; end; end"
    with_files("low.rb" => code, "high.rb" => high, "other.rb" => other) do |folder|
      return Mohs::Rooms.new(folder).backwards(%w[other low high]).keys
    end
  end
end
