# frozen_string_literal: true

require "test_helper"

class AnalysisGemVersionsTest < Mohs::TestCase
  def differing(gems) = Mohs::Analysis::GemVersions.call(gems)&.values&.fetch(:differing)

  test "gems in different versions are listed by version, those alike in all as one" do
    rails = ->(version) { { railties: version, activerecord: version, rack: "2.2.25" } }
    gems = { "2.7.4" => rails["7.1.6"].merge(puma: "6.6.10"),
             "3.3.8" => rails["8.1.4"].merge(puma: "6.6.9"),
             "3.4.5" => rails["8.1.4"].merge(puma: "6.6.9", bundler: "2.6") }

    assert_equal [{ gems: %w[railties activerecord],
                    versions: { "7.1.6" => %w[2.7.4], "8.1.4" => %w[3.3.8 3.4.5] } },
                  { gems: %w[puma],
                    versions: { "6.6.9" => %w[3.3.8 3.4.5], "6.6.10" => %w[2.7.4] } }],
                 differing(gems)
  end

  test "Bundler's own version is no difference, nor is a gem that others don't have" do
    assert_nil differing("a" => { puma: "8.0.2", bundler: "2.4" }, "b" => { bundler: "2.6" })
    assert_nil differing("a" => {}, "b" => {})
  end

  test "a version that RubyGems can't read stands first" do
    assert_equal [{ gems: %w[puma], versions: { "?" => %w[b], "8.0.2" => %w[a] } }],
                 differing("a" => { puma: "8.0.2" }, "b" => { puma: "?" })
  end
end
