# frozen_string_literal: true

require "test_helper"

class SavedCodeTest < Mohs::TestCase
  # An ELF file with so many bytes of code, behind a segment of data.
  def library(bytes)
    segments = [[1, 4, 900], [1, 5, bytes], [4, 4, 60]].map do |type, flags, size|
      [type, flags, 0, 0, 0, size, size, 0].pack("L<L<Q<6")
    end
    head = ["\x7FELF\x02\x01", 64, 56, 3].pack("a32 Q< @54 S<S<").ljust(64, "\0")
    head + segments.join
  end

  def source(*methods, lines: 2)
    %(#include "x.h"\n) + methods.map { |name| "/* #{name} */\n#{"a;\n" * lines}" }.join
  end

  # { number => [C, bytes of its library, nil without] } as files of a process.
  def saved(pieces)
    pieces.each_with_object({}) do |(number, (text, bytes)), files|
      files["_ruby_mjit_p7u#{number}.c"] = text
      files["_ruby_mjit_p7u#{number}.so"] = library(bytes) if bytes
    end
  end

  def code(folder, log: nil) = Mohs::Probes::SavedCode.new(folder, log: log && "#{folder}/log")

  ONE = "multiply@/app/three.rb:5"
  BLOCK = "block in repeat@/app/three.rb:11"

  test "methods, their versions and their machine code are counted" do
    files = saved(0 => [source(BLOCK), 300], 2 => [source(ONE), 100],
                  10 => [source(ONE, lines: 4), 150])
    with_files("_ruby_mjit_hp7u0.h.gch" => "", "server.log" => "", **files) do |folder|
      found = code(folder)

      assert_equal({ methods: 2, pieces: 3, code_bytes: 550 }, found.read)
      assert_equal [{ name: "multiply", at: "three.rb:5", versions: 2, lines: [4, 6] },
                    { name: "block in repeat", at: "three.rb:11", versions: 1, lines: [4] }],
                   found.compiled
    end
  end

  test "methods of one name in two files are two" do
    other = "multiply@/app/two.rb:5"
    with_files(saved(0 => [source(ONE), 100], 1 => [source(other), 100])) do |folder|
      assert_equal [2, 2], code(folder).read.values_at(:methods, :pieces)
      assert_equal %w[three.rb:5 two.rb:5], code(folder).compiled.map { |one| one[:at] }
    end
  end

  test "a copy of all methods is no version of theirs" do
    files = saved(0 => [source(ONE), 100], 1 => [source(BLOCK), 50], 2 => [source(ONE, BLOCK), 150])
    with_files(files) do |folder|
      assert_equal({ methods: 2, pieces: 2, code_bytes: 150 }, code(folder).read)
    end
  end

  test "what is under way, or failed, counts when its library is there" do
    with_files(saved(0 => [source(ONE), nil], 1 => [source(BLOCK), 0])) do |folder|
      found = code(folder)
      assert_equal({ methods: 0, pieces: 0, code_bytes: 0 }, found.read)
      File.binwrite("#{folder}/_ruby_mjit_p7u1.so", "\x7FELF")
      assert_equal 0, found.read[:pieces]
      File.binwrite("#{folder}/_ruby_mjit_p7u0.so", library(70))
      assert_equal({ methods: 1, pieces: 1, code_bytes: 70 }, found.read)
    end
  end

  test "the log tells the time, and what was thrown away, as it grows by whole lines" do
    text = "JIT success (66.1ms): a@b.rb:1 -> /tmp/a.c\nJIT recompile: a@b.rb:1\nhello\n" \
           "JIT compaction (7.9ms): Compacted 2 methods -> /tmp/b.so\nJIT succ"
    with_files("log" => text) do |folder|
      found = code(folder, log: true)
      assert_equal [74_000_000, 1], found.read.values_at(:compile_ns, :invalidations)
      assert_equal [74_000_000, 1], found.read.values_at(:compile_ns, :invalidations)
      File.write("#{folder}/log", "ess (1.5ms): a@b.rb:1 -> /tmp/c.c\n", mode: "a")
      assert_equal [75_500_000, 1], found.read.values_at(:compile_ns, :invalidations)
    end
  end

  test "a log that was cut tells nothing any more" do
    with_files("log" => "JIT success (66.1ms): a@b.rb:1 -> /tmp/a.c\n") do |folder|
      found = code(folder, log: true)
      assert found.read.key?(:compile_ns)
      File.write("#{folder}/log", "x\n")
      2.times { refute found.read.key?(:compile_ns) }
    end
  end

  test "before the first compilation there is nothing yet" do
    with_files do |folder|
      expected = { methods: 0, pieces: 0, code_bytes: 0, compile_ns: 0, invalidations: 0 }
      assert_equal expected, code(folder, log: true).read
      assert_empty code(folder).compiled
    end
  end
end
