# frozen_string_literal: true

require "test_helper"

class BaseRevisionTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-gate"

  # commits: { name => id }. bases: { [branch, newer id] => id }.
  Repository = Struct.new(:commits, :bases, :files, :default_branch, :shallow,
                          keyword_init: true) do
    def changes(besides:) = (files - besides).size

    def commit?(name) = commits.key?(name) || commits.value?(name)

    def commit(name)
      commits[name] || (name if commits.value?(name)) || raise(Mohs::UsageError, name)
    end

    def merge_base(one, other) = bases[[one, other]]

    def shallow? = shallow
  end

  COMMITS = { "HEAD" => "h" * 40, "#{'h' * 40}~1" => "p" * 40, "origin/main" => "m" * 40,
              "main" => "l" * 40, "v1" => "v" * 40, "origin/next" => "n" * 40,
              "abcdef1" => "a" * 40 }.freeze
  LEFT = "b" * 40

  # files: those that are not committed.
  def base(typed = nil, head: nil, env: {}, bases: {}, files: [], **options)
    repository = Repository.new(commits: COMMITS, files:, shallow: false, default_branch: nil,
                                **options,
                                bases: { ["origin/main", "h" * 40] => LEFT, **bases })
    Mohs::Gate::BaseRevision.new(repository, env:, outputs: ["c.md"]).call(typed, head:)
  end

  test "the one that is named is taken, with or without its @" do
    assert_equal ["v" * 40, "v1", "as asked"], base("v1").to_a
    assert_equal ["v" * 40, "v1"], base("@v1").to_a.first(2)
    assert_equal ["a" * 40, nil], base("abcdef1").to_a.first(2)
    assert_raises(Mohs::UsageError) { base("nowhere") }
  end

  test "else it is where the change left the default branch" do
    assert_equal [LEFT, "main", "the merge base; the default branch"], base.to_a
    named = { ["origin/next", "h" * 40] => LEFT }
    found = base(default_branch: "origin/next", bases: named)
    assert_equal [LEFT, "next"], [found.commit, found.name]
  end

  %w[GITHUB_BASE_REF CI_MERGE_REQUEST_TARGET_BRANCH_NAME
     BUILDKITE_PULL_REQUEST_BASE_BRANCH].each do |name|
    test "#{name} names the branch of a pull request" do
      found = base(env: { name => "next" }, bases: { ["origin/next", "h" * 40] => LEFT })

      assert_equal [LEFT, "next", "the merge base; #{name}"], found.to_a
    end

    test "a branch of #{name} that was not fetched says how" do
      error = assert_raises(Mohs::UsageError) { base(env: { name => "gone" }, shallow: true) }

      assert_said(error.message)
      assert_includes error.message, "fetch-depth: 0"
    end
  end

  test "an empty variable is none, as in a push" do
    assert_equal "the merge base; the default branch", base(env: { "GITHUB_BASE_REF" => "" }).reason
  end

  test "GitLab tells the commit itself" do
    env = { "CI_MERGE_REQUEST_DIFF_BASE_SHA" => "v" * 40,
            "CI_MERGE_REQUEST_TARGET_BRANCH_NAME" => "next" }

    assert_equal ["v" * 40, "next", "CI_MERGE_REQUEST_DIFF_BASE_SHA"], base(env:).to_a
    env["CI_MERGE_REQUEST_DIFF_BASE_SHA"] = "x" * 40
    assert_equal LEFT, base(env:, bases: { ["origin/next", "h" * 40] => LEFT }).commit
  end

  test "on the branch itself it is the commit before, unless something is not committed" do
    tip = { ["origin/main", "h" * 40] => "h" * 40 }

    assert_equal ["p" * 40, nil, "the commit before"], base(bases: tip).to_a
    files = %w[c.md new.rb]
    assert_equal "h" * 40, base(bases: tip, files:).commit
    assert_equal "p" * 40, base(bases: tip, files: ["c.md"]).commit
    assert_equal "p" * 40, base(bases: tip, files:, env: { "CI" => "true" }).commit
    assert_equal "p" * 40, base(bases: tip, files:, head: "HEAD").commit
  end

  test "without a default branch, or a repository, it says so" do
    bare = { "HEAD" => "h" * 40 }
    error = assert_raises(Mohs::UsageError) { base(commits: bare, shallow: true) }
    assert_match(/\Athere .*main or master .*shallow/, error.message)
    error = assert_raises(Mohs::UsageError) { base(commits: {}) }
    assert_equal "HEAD", error.message
  end

  test "a history that is not there is an error that says what to do" do
    apart = { ["origin/main", "h" * 40] => nil }
    error = assert_raises(Mohs::UsageError) { base(bases: apart, shallow: true) }
    assert_match(/\AHEAD .*origin\/main .*shallow/, error.message)
    error = assert_raises(Mohs::UsageError) { base(bases: apart) }
    assert_includes error.message, "--base REV"
  end
end
