# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class FolderChangesTest < TestCase
      def changes(files, **options)
        with_files(files) do |dir|
          watch = FolderChanges.new(dir, **options)
          yield dir
          return watch.call
        end
      end

      def write(dir, path, text)
        FileUtils.mkdir_p(File.dirname(path = File.join(dir, path)))
        File.write(path, text)
      end

      test "a folder that nobody writes in has not changed" do
        assert_empty(changes({ "config.ru" => "run App", "log/x.log" => "" }) { |_| nil })
      end

      test "what is new, changed and gone is listed, the largest change first" do
        files = { "a" => "12", "db/x.sqlite3" => "x" * 100, "tmp/old" => "x" * 50 }
        found = changes(files) do |dir|
          write(dir, "db/x.sqlite3", "x" * 4196)
          write(dir, "log/production.log", "x" * 3000)
          File.delete(File.join(dir, "tmp/old"))
        end

        assert_equal [{ path: "db/x.sqlite3", change: "changed", bytes: 4096, by: nil },
                      { path: "log/production.log", change: "new", bytes: 3000, by: nil },
                      { path: "tmp/old", change: "removed", bytes: -50, by: nil }], found
      end

      test "a file that was written anew with the same length has changed" do
        found = changes({ "a" => "12" }) do |dir|
          File.utime(0, 0, File.join(dir, "a"))
        end

        assert_equal [{ path: "a", change: "changed", bytes: 0, by: nil }], found
      end

      test "what changes during something is by that, unless it changes again" do
        by = with_files("a" => "1", "b" => "1", "old" => "1", "c" => "1") do |dir|
          watch = FolderChanges.new(dir)
          result = watch.during("x") do
            %w[a b new].each { |path| write(dir, path, "22") }
            File.delete(File.join(dir, "old"))
            :result
          end
          assert_equal :result, result
          %w[b c].each { |path| write(dir, path, "333") }
          watch.call.to_h { |one| one.values_at(:path, :by) }
        end

        assert_equal({ "a" => "x", "b" => nil, "c" => nil, "new" => "x", "old" => "x" }, by)
      end

      test "what is done during it may fail" do
        with_files("a" => "1") do |dir|
          watch = FolderChanges.new(dir)
          assert_raises(IOError) do
            watch.during("x") { write(dir, "a", "22") && raise(IOError) }
          end
          assert_equal(["x"], watch.call.map { |one| one[:by] })
        end
      end

      test "what is not the application's is not looked at" do
        found = changes({ "config.ru" => "" }, ours: []) do |dir|
          %w[.git/index node_modules/a/b.js].each { |path| write(dir, path, "x") }
        end
        assert_empty found

        with_files do |dir|
          watch = FolderChanges.new(dir, ours: [File.join(dir, "data/mohs")])
          write(dir, "data/mohs/mohs.db", "x")
          write(dir, "data/other", "x")

          assert_equal(["data/other"], watch.call.map { |one| one[:path] })
        end
      end

      test "only the largest changes are kept, and no control character of a name" do
        found = changes({ "x" => "" }) do |dir|
          30.times { |number| write(dir, "n#{number}", "x" * number) }
          write(dir, "\e[31mred", "x" * 50)
        end

        assert_equal [20, "?[31mred", "n29"], [found.size, *found.first(2).map { |one| one[:path] }]
      end

      test "links are not followed, and folders are no files" do
        found = changes({ "x" => "" }) do |dir|
          File.symlink("/", File.join(dir, "root"))
          FileUtils.mkdir_p(File.join(dir, "tmp/pids"))
        end

        assert_equal(["root"], found.map { |one| one[:path] })
      end
    end
  end
end
