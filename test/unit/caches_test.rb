# frozen_string_literal: true

require "test_helper"

module Mohs
  class CachesTest < TestCase
    DAY_S = 86_400
    FILES = {
      "gems/3.4.5-a/ruby/x.rb" => "x" * 9000,
      "gems/3.3.8-b/ruby/y.rb" => "y", "gems/3.3.8-b/.lock" => "",
      "bundles/one/manifest.json" => "", "bundles/two/manifest.json" => "{}",
      "revisions/.lock" => "", "revisions/abc/made" => "5",
      "rubygems-3/lib/a.rb" => "", "rubygems-3/setup.rb" => "", "rubies.json" => "{}",
    }.freeze

    def cached(changes = {})
      with_files(**FILES, **changes) do |folder|
        manifest = File.join(folder, "bundles/one/manifest.json")
        File.write(manifest, JSON.generate([File.join(folder, "gems/3.4.5-a", "ruby/x.rb")]))
        yield folder, Caches.new(folder, scratch: [])
      end
    end

    def age(folder, path, days)
      Dir[File.join(folder, path, "**/*"), File.join(folder, path)].each do |file|
        File.utime(Time.now - (days * DAY_S), Time.now - (days * DAY_S), file)
      end
    end

    def names(entries) = entries.map { |one| "#{one.kind}/#{one.name}" }

    test "each folder of a folder is an entry, and one with files is one itself" do
      cached do |_, caches|
        assert_equal %w[bundles/one bundles/two gems/3.4.5-a gems/3.3.8-b revisions/abc
                        rubygems-3/rubygems-3].sort, names(caches.entries).sort
        big, small = caches.entries.select { |one| one.kind == "gems" }
        assert_equal "3.4.5-a", big.name
        assert_operator big.bytes, :>=, 9000
        assert_operator small.bytes, :<, big.bytes
        assert_in_delta Time.now.to_f * 1000, big.used_ms, 60_000
      end
    end

    test "unused is what nobody has read or written for so long, and bundles without their gems" do
      cached do |folder, caches|
        %w[gems/3.4.5-a revisions/abc].each { |path| age(folder, path, 9) }
        File.utime(Time.now, Time.now - (99 * DAY_S), File.join(folder, "gems/3.3.8-b/ruby/y.rb"))

        assert_empty Caches.new(folder, scratch: []).unused(10 * DAY_S)
        unused = caches.unused(8 * DAY_S)
        assert_equal %w[bundles/one gems/3.4.5-a revisions/abc], names(unused).sort
        assert_equal unused, caches.remove(unused)
        assert_equal %w[bundles/two gems/3.3.8-b rubygems-3/rubygems-3],
                     names(Caches.new(folder, scratch: []).entries).sort
        assert_path_exists File.join(folder, "rubies.json")
      end
    end

    test "what somebody is installing into stays" do
      cached do |folder, caches|
        { "gems/3.3.8-b/.lock" => "gems/3.3.8-b",
          "revisions/.lock" => "revisions/abc" }.each do |lock, path|
          File.open(File.join(folder, lock)) do |file|
            file.flock(File::LOCK_EX)
            entry = caches.entries.find { |one| one.path == File.join(folder, path) }

            assert_empty caches.remove([entry])
            assert_path_exists entry.path
          end
        end
      end
    end

    test "looking is no use: whoever looks twice finds the same" do
      cached do |folder, caches|
        age(folder, "bundles/two", 9)
        before = names(caches.unused(8 * DAY_S))

        assert_equal %w[bundles/two], before
        assert_equal before, names(Caches.new(folder, scratch: []).unused(8 * DAY_S))
      end
    end

    test "what somebody has used since it was looked at stays" do
      cached do |folder, caches|
        %w[gems/3.4.5-a revisions/abc].each { |path| age(folder, path, 9) }
        unused = caches.unused(8 * DAY_S)
        File.utime(Time.now, Time.now - (9 * DAY_S), File.join(folder, "revisions/abc/made"))

        assert_equal %w[bundles/one gems/3.4.5-a], names(caches.remove(unused)).sort
        assert_path_exists File.join(folder, "revisions/abc/made")
      end
    end

    test "gems stay as long as a bundle needs them, one that was made meanwhile too" do
      cached do |folder, caches|
        age(folder, "gems/3.4.5-a", 9)
        unused = caches.unused(8 * DAY_S)
        FileUtils.mkdir_p(File.join(folder, "bundles/new"))
        File.write(File.join(folder, "bundles/new/manifest.json"),
                   JSON.generate([File.join(folder, "gems/3.4.5-a/ruby/x.rb")]))

        assert_equal %w[bundles/one], names(caches.remove(unused))
        assert_path_exists File.join(folder, "gems/3.4.5-a/ruby/x.rb")
      end
    end

    test "whenever it is interrupted, no bundle is there without its gems, and no half of them" do
      (0..4).each do |number|
        cached do |folder, caches|
          age(folder, "gems/3.4.5-a", 9)
          File.write(File.join(folder, "gems/3.4.5-a/ruby/y.rb"), "")
          File.utime(0, 0, File.join(folder, "gems/3.4.5-a/ruby/y.rb"))
          interrupted(number) { caches.remove(caches.unused(8 * DAY_S)) }
          files = %w[bundles/one/manifest.json gems/3.4.5-a/ruby/x.rb gems/3.4.5-a/ruby/y.rb]
          bundle, *gems = files.map { |path| File.exist?(File.join(folder, path)) }

          assert_includes [[true, true], [false, false]], gems
          refute bundle && gems.none?
        end
      end
    end

    # By a Ctrl-C as so many files or folders have been removed.
    def interrupted(number, &)
      remove = lambda do |path|
        raise Interrupt if (number -= 1).negative?

        Dir.rmdir(path)
      rescue Errno::ENOTDIR
        File.unlink(path)
      end
      tree = lambda do |path, *|
        Dir.glob("#{path}/**/*", File::FNM_DOTMATCH).reject { |one| one.end_with?("/.") }
           .sort.reverse.each(&remove)
        remove.call(path)
      end
      FileUtils.stub(:rm_rf, tree, &)
    rescue Interrupt
      nil
    end

    test "a link is not followed" do
      with_files("far/file" => "x" * 5000, "cache/gems/one/file" => "") do |folder|
        File.symlink(File.join(folder, "far"), File.join(folder, "cache/gems/one/link"))
        caches = Caches.new(File.join(folder, "cache"), scratch: [])

        assert_operator caches.entries.sum(&:bytes), :<, 5000
        refute_empty caches.remove(caches.entries)
        assert_path_exists File.join(folder, "far/file")
      end
    end

    test "what a killed mohs left in the temporary folder is unused at once" do
      with_files("mohs-t1/file" => "x", "mohs-t1/.mohs-scratch" => "",
                 "cache/rubies.json" => "") do |folder|
        left = File.join(folder, "mohs-t1")
        caches = Caches.new(File.join(folder, "cache"), scratch: [left])

        assert_equal ["scratch/mohs-t1"], names(caches.unused(DAY_S))
        caches.remove(caches.entries)
        refute_path_exists left
      end
    end

    test "a temporary folder that a mohs has taken meanwhile stays" do
      with_files("mohs-t1/.mohs-scratch" => "", "cache/rubies.json" => "") do |folder|
        left = File.join(folder, "mohs-t1")
        caches = Caches.new(File.join(folder, "cache"), scratch: [left])
        File.open(File.join(left, ".mohs-scratch")) do |marker|
          marker.flock(File::LOCK_EX)

          assert_empty caches.remove(caches.unused(DAY_S))
          assert_path_exists left
        end
      end
    end

    test "without a cache there is nothing" do
      assert_empty Caches.new("/nonexistent/mohs", scratch: []).entries
    end
  end
end
