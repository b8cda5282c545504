# frozen_string_literal: true

require "test_helper"

module Mohs
  # What every importer does, held against files of its tool (test/fixtures/importers/README.md).
  class ImportersTest < TestCase
    include CLIHelper
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-others"

    FIXTURES = File.join(Mohs.root, "test/fixtures")
    FILES = Importers.names.to_h do |name|
      [name, Dir[File.join(FIXTURES, "importers", name, "*")].sort +
             Dir[File.join(FIXTURES, "drivers", "#{name}{.,-}*")].sort]
    end

    test "every member has a file of its tool" do
      assert_empty(FILES.select { |_, files| files.empty? }.keys)
    end

    FILES.each do |name, files|
      member = Importers.fetch(name)

      test "#{name}: docs/import.md has it" do
        page = File.read(File.join(Mohs.root, "docs/import.md"), encoding: "UTF-8")
        assert_match(/^\| `#{name}` \|/, page)
      end

      files.each do |file|
        short = file.delete_prefix("#{FIXTURES}/")

        test "#{name}: #{short} is its alone, and ends in a document" do
          head = Importers::Source.new(file).head
          assert_equal [member], Importers.all.select { |one| one.recognise?(head) }
          output = mohs("import", file, "--json")
          assert_equal [0, ""], [output.status, output.err]
          assert_document(output.json, name)
          text = mohs("import", file)
          assert_equal [0, ""], [text.status, text.err]
          assert_match(/\A\S.*[.]\n\n/, text.out)
          assert_operator text.out.lines(chomp: true).map(&:length).max, :<=, 100
        end

        test "#{name}: #{short}, cut or changed, is an error or a document, no fault of mohs" do
          bytes = File.binread(file)
          with_files do |folder|
            damaged(bytes).each do |broken|
              File.binwrite(path = File.join(folder, "x"), broken)
              output = mohs("import", path, "--json", "--format", name)
              output = mohs("import", path, "--json") if output.status.zero?
              refute_match(/fault of mohs/, output.err)
              assert_includes [0, 2], output.status
              assert_operator output.err.lines.size, :<=, 8
            end
            assert_equal ["x"], Dir.children(folder)
          end
        end
      end

      test "#{name}: refuses the files of the others" do
        FILES.except(name).each_value do |others|
          others.each do |file|
            refute member.recognise?(Importers::Source.new(file).head), file
            output = mohs("import", file, "--json", "--format", name)
            assert_equal 2, output.status, "#{file} as #{name}: #{output.out}"
          end
        end
      end
    end

    test "a file of no known format names those that are known" do
      others = ["", "{}", "[1]", "\0\xff" * 99, "<?xml version=\"1.0\"?><testResults/>",
                "---\na: 1\n"]
      others.each do |text|
        with_files do |folder|
          File.binwrite(path = File.join(folder, "x"), text)
          output = mohs("import", path)
          assert_equal [2, ""], [output.status, output.out]
          assert_said(output.err)
        end
      end
    end

    private

    # Cut at several places, bytes changed, numbers that no tool prints.
    def damaged(bytes)
      size = bytes.size
      cut = [0, 1, size / 3, size / 2, [size - 20, 0].max]
      random = Random.new(7)
      changed = Array.new(times(2, 6)) do
        bytes.dup.tap do |one|
          5.times { one.setbyte(random.rand(one.bytesize), random.rand(256)) }
        end
      end
      numbers = %w[1e999 -5 NaN "x" 999999999999999999999999999 0 null {} []]
      digits = numbers.first(times(4, numbers.size)).map do |number|
        at = bytes.b.enum_for(:scan, /\d+(\.\d+)?/).map { $~.offset(0) }
        from, to = at[at.size / 2]
        bytes.b[0...from] + number.b + bytes.b[to..]
      end
      [*cut.map { |length| bytes.byteslice(0, length) }, *changed, *digits]
    end

    def assert_document(document, name)
      assert_empty JSONContract.new("`import` of other tools").faults(document)
      assert_equal [name], document[:files].map { |file| file[:format] }
      refute_empty document[:rows]
      document[:rows].each do |row|
        refute_empty row[:lacks]
        times = row[:latency_ms].values.compact
        assert_equal times.sort, times
        assert(times.all?(&:positive?))
      end
      # one whose server refused everything has no figure
      figures = document[:rows].flat_map { |row| [row[:measure][:value], *row[:latency_ms].values] }
      assert(figures.any? || document[:rows].any? { |row| row[:errors][:total].positive? })
    end
  end
end
