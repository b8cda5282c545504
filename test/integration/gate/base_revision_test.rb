# frozen_string_literal: true

require "test_helper"

# Which revision a change is held against, as git itself sees it.
class GatingBaseRevisionTest < Mohs::TestCase
  # A repository whose branch `change` left main at the first commit, and has one of its own.
  def with_branch
    with_files do |dir|
      theirs = Mohs::GitRepository.new(File.join(dir, "theirs"))
      began = theirs.commit("config.ru" => "run 1")
      theirs.git("checkout", "--quiet", "-b", "change")
      own = theirs.commit("config.ru" => "run 2")
      theirs.git("checkout", "--quiet", "main")
      later = theirs.commit("other" => "x")
      theirs.git("checkout", "--quiet", "change")
      yield theirs, began, own, later, dir
    end
  end

  def base(dir, typed = nil, head: nil, env: {})
    Mohs::Gate::BaseRevision.new(Mohs::App::Repository.new(dir), env:).call(typed, head:)
  end

  test "it is where the branch began, not where main is now" do
    with_branch do |theirs, began, own, later|
      assert_equal [began, "main"], base(theirs.dir).to_a.first(2)
      assert_equal later, base(theirs.dir, "main").commit
      assert_equal began, base(theirs.dir, head: own).commit
    end
  end

  test "in a clone it is the remote's branch that counts" do
    with_branch do |theirs, began, own, _, dir|
      theirs.git("clone", "--quiet", theirs.dir, clone = File.join(dir, "clone"))
      theirs.git("-C", clone, "checkout", "--quiet", own)

      assert_equal [began, "main", "the merge base; GITHUB_BASE_REF"],
                   base(clone, env: { "GITHUB_BASE_REF" => "main" }).to_a
    end
  end

  test "on main itself it is the commit before, unless something is not committed" do
    with_branch do |theirs, began, _, later|
      theirs.git("checkout", "--quiet", "main")
      assert_equal [began, nil, "the commit before"], base(theirs.dir).to_a

      theirs.write("config.ru" => "run 3")
      assert_equal later, base(theirs.dir).commit
    end
  end

  test "a shallow clone says what to fetch" do
    with_branch do |theirs, _, _, _, dir|
      clone = File.join(dir, "shallow")
      theirs.git("clone", "--quiet", "--depth", "1", "--branch", "change", "file://#{theirs.dir}",
                 clone)
      error = assert_raises(Mohs::UsageError) do
        base(clone, env: { "GITHUB_BASE_REF" => "main" })
      end

      assert_includes error.message, "clone is shallow"
    end
  end
end
