# frozen_string_literal: true

require "test_helper"

class VerificationCacheTest < Mohs::TestCase
  Result = Mohs::Verification::Result
  Puma, Thin = %w[puma thin].map { |name| Mohs::Servers.fetch(name) }
  RUBY = Mohs::FakeRubies.ruby("3.4.5", digest: "d1")

  def result(**changes)
    Result.new(server: "puma", ruby: "3.4.5", engine: "ruby", digest: "d1", state: "verified",
               version: "8.0.2", at_ms: 5, seconds: 1.5, mohs: "0",
               traits: { threads: Result::Trait.new(seen: true, asked: 3, counted: 3) }, **changes)
  end

  def cache(folder) = Mohs::Verification::Cache.new(folder:)

  test "a result is there again, for another mohs too, and only for that server and Ruby" do
    with_files do |dir|
      cache(File.join(dir, "new")).store(result)
      again = cache(File.join(dir, "new"))

      assert_equal result, again.fetch(Puma, RUBY)
      assert_nil again.fetch(Thin, RUBY)
      assert_nil again.fetch(Puma, Mohs::FakeRubies.ruby("3.4.5", digest: "rebuilt"))
    end
  end

  test "a later result replaces an earlier one, and leaves the others" do
    with_files do |dir|
      cache = cache(dir)
      cache.store(result)
      cache.store(result(server: "thin"))
      cache.store(refused = result(state: "refused", reason: "no", traits: {}))

      assert_equal [refused, "thin"], [cache.fetch(Puma, RUBY), cache.fetch(Thin, RUBY).server]
    end
  end

  test "a file that is none of ours says nothing" do
    ["", "{", "[]", '{"a": 1}'].each do |text|
      with_files("servers.json" => text) { |dir| assert_nil cache(dir).fetch(Puma, RUBY) }
    end
    with_files do |dir|
      cache(dir).store(result)
      path = File.join(dir, "servers.json")
      File.write(path, File.read(path).sub('"seconds"', '"minutes"'))

      assert_nil cache(dir).fetch(Puma, RUBY)
    end
  end
end
