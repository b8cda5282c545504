# frozen_string_literal: true

require "test_helper"

module Mohs
  class RubiesCacheTest < TestCase
    include RubyFacts

    def with_ruby(env: {}, **facts)
      with_files("r/bin/ruby" => "binary") do |root|
        cache = -> { Rubies::Cache.new(folder: "#{root}/cache", env:) }
        yield cache, ruby(path: "#{root}/r/bin/ruby", flags: ["--yjit"], launch_env: {}, **facts),
              root
      end
    end

    test "what was stored comes back the same" do
      with_ruby do |cache, ruby, _|
        assert_nil cache.call.fetch(ruby.path)
        cache.call.store([ruby])
        assert_equal ruby, cache.call.fetch(ruby.path)
      end
    end

    test "one that an older mohs has asked less is asked again" do
      with_ruby do |cache, ruby, root|
        cache.call.store([ruby])
        file = "#{root}/cache/rubies.json"
        File.write(file, File.read(file).sub(/,?\s*"libcrypto": *"[^"]*"/, ""))
        assert_nil cache.call.fetch(ruby.path)
      end
    end

    test "a changed executable is asked again" do
      with_ruby do |cache, ruby, _|
        cache.call.store([ruby])
        File.write(ruby.path, "another binary")
        assert_nil cache.call.fetch(ruby.path)
      end
    end

    test "a rebuilt OpenSSL, one that is gone and one that is new are reasons to ask again" do
      with_files("kept" => "1", "rebuilt" => "1", "gone" => "1") do |files|
        { "rebuilt" => -> { File.write("#{files}/rebuilt", "22") },
          "gone" => -> { File.unlink("#{files}/gone") },
          "new" => -> { File.write("#{files}/new", "1") } }.each do |name, change|
          with_ruby(files: ["#{files}/kept", "#{files}/#{name}"]) do |cache, ruby, _|
            cache.call.store([ruby])
            assert_equal ruby, cache.call.fetch(ruby.path), name
            change.call
            assert_nil cache.call.fetch(ruby.path), name
          end
        end
      end
    end

    test "another Java is a reason to ask again" do
      with_ruby do |cache, ruby, root|
        cache.call.store([ruby])
        assert_nil Rubies::Cache.new(folder: "#{root}/cache",
                                     env: { "JAVA_HOME" => "/java" }).fetch(ruby.path)
      end
    end

    test "one that runs on a Java which is gone is asked again" do
      with_ruby(launch_env: { "JAVA_HOME" => "/gone" }) do |cache, ruby, _|
        cache.call.store([ruby])
        assert_nil cache.call.fetch(ruby.path)
      end
    end

    test "broken ones are not remembered" do
      with_ruby(state: :broken) do |cache, ruby, root|
        cache.call.store([ruby])
        refute_path_exists "#{root}/cache/rubies.json"
      end
    end

    test "what another mohs stored meanwhile stays" do
      with_ruby do |cache, ruby, root|
        File.write("#{root}/other", "binary")
        other = ruby(path: "#{root}/other")
        mine = cache.call
        mine.fetch(ruby.path)
        cache.call.store([other])
        mine.store([ruby])
        assert_equal [ruby, other], [cache.call.fetch(ruby.path), cache.call.fetch(other.path)]
      end
    end

    test "a damaged file, or one of an earlier mohs, counts as none" do
      ["{", "[1]", ""].each do |text|
        with_ruby do |cache, ruby, root|
          Dir.mkdir("#{root}/cache")
          File.write("#{root}/cache/rubies.json", text)
          assert_nil cache.call.fetch(ruby.path)
          cache.call.store([ruby])
          assert_equal ruby, cache.call.fetch(ruby.path)
        end
      end
    end

    test "an entry with members that are no longer there counts as none" do
      with_ruby do |cache, ruby, root|
        cache.call.store([ruby])
        file = "#{root}/cache/rubies.json"
        File.write(file, File.read(file).sub('"digest"', '"colour"'))
        assert_nil cache.call.fetch(ruby.path)
      end
    end

    test "a folder that cannot be made costs nothing but time" do
      with_ruby do |_, ruby, root|
        cache = Rubies::Cache.new(folder: "#{root}/r/bin/ruby/no", env: {})
        assert_nil cache.store([ruby])
      end
    end
  end
end
