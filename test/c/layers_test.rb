# frozen_string_literal: true

require "test_helper"

module Mohs
  # The direction in which the files of the C core use each other.
  class LayersTest < TestCase
    LAYERS = CoreLayers.new

    def files
      Dir[File.join(Mohs.root, "ext/mohs/core/*.[ch]")].to_h do |path|
        [File.basename(path), File.read(path)]
      end
    end

    test "every file of the core includes only files before it" do
      assert_operator files.values.join.scan(CoreLayers::INCLUDE).size, :>, files.size
      assert_empty LAYERS.of_includes(files)
      assert_empty files.keys.map { |name| File.basename(name, ".*") }.uniq - CoreLayers::ORDER
    end

    test "every file of the core calls only files before it" do
      objects = CBuild.new.symbols
      assert_includes objects["connection"].last, "mohs_loop_rest"
      assert_empty LAYERS.of_calls(objects)
    end

    test "an include or a call upwards is found, and a file without a place" do
      upwards = "#include \"worker.h\"\n  #  include \"lane.h\"\n#include \"job.h\"\n"
      assert_equal ["connection.h includes worker.h, which comes after it",
                    "connection.h includes lane.h, which comes after it"],
                   LAYERS.of_includes("connection.h" => upwards)
      assert_equal ["new.c includes clock.h: not both are in ORDER"],
                   LAYERS.of_includes("new.c" => "#include \"clock.h\"\n#include \"new.h\"\n")
      assert_equal ["lane.h includes ../binding.h: not both are in ORDER"],
                   LAYERS.of_includes("lane.h" => "#include \"../binding.h\"\n")
      objects = { "lane" => [["free_lane"], []], "connection" => [[], %w[free_lane memcpy]] }
      assert_equal ["connection calls free_lane of lane, which comes after it"],
                   LAYERS.of_calls(objects)
    end
  end
end
