# frozen_string_literal: true

require "test_helper"

class VerificationCacheTest < Mohs::TestCase
  Result = Mohs::Verification::Result
  Puma, Thin = %w[puma thin].map { |name| Mohs::Servers.fetch(name) }
  RUBY = Mohs::FakeRubies.ruby("3.4.5", digest: "d1")
  WHY = Mohs::Reason.new(summary: "no", remedy: "Wait.", code: "busy", values: { seconds: 5 })

  def result(**changes)
    Result.new(server: "puma", ruby: "3.4.5", engine: "ruby", digest: "d1", state: "verified",
               version: "8.0.2", at_ms: 5, seconds: 1.5, mohs: "0",
               traits: { threads: Result::Trait.new(seen: true, asked: 3, counted: 3) }, **changes)
  end

  def cache(folder, **options) = Mohs::Verification::Cache.new(folder:, **options)

  test "a result is there again, for another mohs too, and only for that server and Ruby" do
    with_files do |dir|
      cache(File.join(dir, "new")).store(result)
      again = cache(File.join(dir, "new"))

      assert_equal result, again.fetch(Puma, RUBY)
      assert_nil again.fetch(Thin, RUBY)
      assert_nil again.fetch(Puma, Mohs::FakeRubies.ruby("3.4.5", digest: "rebuilt"))
    end
  end

  # What a result depends on, of each server or of one alone.
  SOURCES = { "servers/puma.rb" => 1, "servers/thin.rb" => 1, "servers/base.rb" => 2,
              "verification.rb" => 2, "verification/client.rb" => 2,
              "inside/verification/config.ru" => 2, "inside/servlet.rb" => 2 }.freeze

  SOURCES.each do |path, stale|
    test "results of #{stale} of 2 servers are stale where #{path} has changed" do
      with_files(SOURCES.transform_values { "" }) do |dir|
        [result, result(server: "thin")].each { |one| cache(dir, lib: dir).store(one) }
        File.write(File.join(dir, path), "changed")
        again = cache(dir, lib: dir)

        found = [Puma, Thin].map { |server| again.fetch(server, RUBY) }
        assert_equal 2 - stale, found.compact.size
        refute found[path.include?("thin") ? 1 : 0]
      end
    end
  end

  test "a file that moves to another name is a change" do
    with_files(SOURCES.transform_values { "" }) do |dir|
      cache(dir, lib: dir).store(result)
      File.rename(File.join(dir, "verification/client.rb"), File.join(dir, "verification/new.rb"))

      assert_nil cache(dir, lib: dir).fetch(Puma, RUBY)
    end
  end

  test "a later result replaces an earlier one, and leaves the others" do
    with_files do |dir|
      cache = cache(dir)
      cache.store(result)
      cache.store(result(server: "thin"))
      cache.store(refused = result(state: "refused", reason: WHY, traits: {}))

      assert_equal [refused, "thin"], [cache.fetch(Puma, RUBY), cache.fetch(Thin, RUBY).server]
    end
  end

  test "reasons keep their code and values" do
    with_files do |dir|
      unseen = Result::Trait.new(seen: false, reason: WHY)
      cache(dir).store(result(traits: { restarts: unseen }))

      assert_equal [WHY.cause, unseen],
                   [cache(dir).fetch(Puma, RUBY).traits[:restarts].reason.cause,
                    cache(dir).fetch(Puma, RUBY).traits[:restarts]]
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
