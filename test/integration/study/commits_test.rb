# frozen_string_literal: true

require "test_helper"

# Studies whose variants are commits of an application, looked up in a real repository.
class StudyCommitsTest < Mohs::TestCase
  include Mohs::StudyBuild

  test "a commit, a Gemfile and a configuration are named as typed, behind the Ruby" do
    with_files do |dir|
      theirs = Mohs::GitRepository.new(dir)
      commit = theirs.commit("config.ru" => "", "Gemfile.next" => "", "config/big.rb" => "")
      study = build(app: app(dir:), variants: ["@main", "Gemfile.next", "config/big.rb, puma",
                                               "all::@HEAD, Gemfile.next, config/big.rb"])

      assert_equal ["3.1.2, @main", "3.1.2, Gemfile.next", "3.1.2, puma, config/big.rb", "all"],
                   study.variants.map(&:name)
      assert_equal({ typed: "@main", commit: }, study.variants.first.revision)
      assert_equal %w[revision gemfile processes threads config].sort,
                   study.variants[3].difference(build(variants: ["3.1.2"]).variants.first).sort
    end
  end

  test "a baseline may be another commit's name for one of the variants" do
    with_files do |dir|
      Mohs::GitRepository.new(dir).commit("config.ru" => "")
      study = build(app: app(dir:), variants: ["3.1.2", "@main"], baseline: "@HEAD")

      assert_equal ["3.1.2, @main", 2], [study.baseline, study.variants.size]
    end
  end

  test "two names of one commit are not compared, the same name twice is" do
    with_files do |dir|
      commit = Mohs::GitRepository.new(dir).commit("config.ru" => "")
      compare = ->(*variants) { build(app: app(dir:), variants:, comparison: {}) }
      error = assert_raises(Mohs::UsageError) { compare.call("@main", "@HEAD") }

      assert_match(/\A@main and @HEAD .*#{commit[0, 12]}.*: mohs compare @HEAD @HEAD\z/,
                   error.message)
      assert_equal 2, compare.call("@main", "3.4.5, @HEAD").variants.size
      assert_equal 2, compare.call("@HEAD", "again::@HEAD").variants.size
      assert_equal 2, build(app: app(dir:), variants: ["@main", "@HEAD"]).variants.size
    end
  end

  test "a branch without its @, in place of a Ruby, is recognised" do
    with_files do |dir|
      theirs = Mohs::GitRepository.new(dir)
      theirs.commit("config.ru" => "")
      theirs.git("branch", "topic")
      messages = %w[topic tropic].map do |name|
        assert_raises(Mohs::UsageError) { build(app: app(dir:), variants: [name]) }.message
      end

      assert_match(/"topic".* @topic /, messages[0])
      assert_match(/"tropic" .*machine\.\z/, messages[1])
    end
  end

  test "a Ruby that does not start, and a commit without an application, refuse with a reason" do
    reason = Mohs::Reason.parse("does not start: exit 3")
    rubies = Mohs::FakeRubies.new(Mohs::FakeRubies.ruby("3.1.2"),
                                  Mohs::FakeRubies.ruby("2.0.0", state: :broken, reason:))
    assert_equal "does not start: exit 3",
                 build(rubies:, variants: %w[3.1.2 2.0.0]).variants.last.refusal.summary
    with_files do |dir|
      Mohs::GitRepository.new(dir).commit("README" => "")
      study = build(app: app(dir:), variants: ["3.1.2", "@main"])
      assert_match(/\Ano config\.ru at @main/, study.variants.last.refusal.summary)
    end
  end
end
