# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class RepositoryTest < TestCase
      def with_repository(files = { "shop/config.ru" => "one" })
        with_files do |dir|
          theirs = GitRepository.new("#{dir}/theirs")
          first = theirs.commit(files)
          yield theirs, Repository.new("#{dir}/theirs/shop"), first, dir
        end
      end

      test "a commit is known by branch, tag, distance and the beginning of its id" do
        with_repository do |theirs, repository, first|
          theirs.git("tag", "v1")
          theirs.git("tag", "--annotate", "--message=m", "v1.1")
          second = theirs.commit("shop/a" => "1")

          assert_equal [first, first, second, second, first, first],
                       (["v1", "v1.1", "main", "HEAD", "HEAD~1", first[0, 7]]
                         .map { |name| repository.commit(name) })
        end
      end

      test "the folder's own commit is told with the files that differ from it" do
        with_repository do |theirs, repository, first|
          theirs.write("shop/new" => "1")
          head = repository.head

          assert_equal [first, 1], head.values_at(:id, :changes)
          assert_operator first, :start_with?, head[:short]
          assert_match(/\A\d{4}-\d\d-\d\d\z/, head[:date])
          assert_equal %i[id short date title changes], head.keys
        end
        with_files("a" => "1") { |dir| assert_nil Repository.new(dir).head }
      end

      test "the default branch of a repository is suggested by its own name" do
        with_repository do |theirs, repository|
          theirs.git("branch", "-m", "main", "master")
          theirs.git("branch", "mane")

          assert_equal %w[master master~2 HEAD gone],
                       (%w[main main~2 HEAD gone].map { |name| repository.meant(name) })
          error = assert_raises(UsageError) { repository.commit("main~2") }
          assert_operator error.message, :end_with?, "Did you mean @master~2?"
        end
      end

      test "revisions are listed with the local branches first, and how many are left" do
        with_repository do |theirs, repository|
          10.times do |number|
            theirs.git("update-ref", "refs/remotes/origin/0.#{number}-stable", "HEAD")
          end
          theirs.git("tag", "v0")
          error = assert_raises(UsageError) { repository.commit("12ab34") }

          names = %w[HEAD main v0] + Array.new(7) { |number| "origin/0.#{number}-stable" }
          assert_operator error.message, :end_with?, " Known: #{names.join(', ')} and 3 more."
        end
      end

      test "an unknown revision is an error that names the nearest, or what exists" do
        with_repository do |theirs, repository|
          theirs.git("branch", "feature")
          messages = %w[featrue 12ab34].map do |name|
            assert_raises(UsageError) { repository.commit(name) }.message
          end

          shop = Regexp.escape("#{theirs.dir}/shop")
          assert_match(/\A@featrue .*#{shop}\. Did you mean @feature\?\z/, messages[0])
          assert_match(/\A@12ab34 .*#{shop}\. Known: HEAD, feature, main\.\z/, messages[1])
        end
      end

      test "a repository without a commit has no revision" do
        with_files do |dir|
          GitRepository.new(dir)
          error = assert_raises(UsageError) { Repository.new(dir).commit("HEAD") }

          assert_match(/#{Regexp.escape(dir)} .*: git commit/, error.message)
        end
      end

      test "options, files and ranges of commits are not revisions" do
        with_repository do |theirs, repository|
          theirs.commit("shop/a" => "1")
          ["", "--all", "-h", "HEAD:shop", "HEAD~1..HEAD", "a b", "HEAD^@"].each do |name|
            refute repository.commit?(name), name
          end
          ["", "--all"].each do |name|
            error = assert_raises(UsageError, name) { repository.commit(name) }
            assert_includes error.message, "not a revision"
          end
        end
      end

      test "a folder outside any repository is reported as such" do
        with_files do |dir|
          error = assert_raises(UsageError) { Repository.new(dir).commit("main") }

          assert_match(/\A#{Regexp.escape(dir)} .*git repository: @main/, error.message)
        end
      end

      test "a repository that git can't read is not a usage error" do
        with_files do |dir|
          bare = GitRepository.new("#{dir}/bare")
          bare.git("config", "core.bare", "true")
          error = assert_raises(EnvironmentError) { Repository.new(bare.dir).commit("main") }

          assert_includes error.message, "must be run in a work tree"
        end
      end

      test "without git there is an error that says what to do" do
        with_repository do |_, repository|
          with_environment("PATH" => "/nowhere") do
            error = assert_raises(EnvironmentError) { repository.commit("main") }
            assert_match(/git .*: .*Install git/, error.message)
          end
        end
      end

      test "variables set by a git hook do not point to another repository" do
        with_repository do |_, repository, first|
          with_environment("GIT_DIR" => "/nowhere", "GIT_INDEX_FILE" => "/nowhere/index") do
            assert_equal first, repository.commit("HEAD")
            assert_equal ["config.ru"], repository.files(first)
          end
        end
      end

      test "files are those of the commit, below the application's folder" do
        files = { "shop/config.ru" => "", "shop/a b/é.rb" => "", "x" => "" }
        with_repository(files) do |theirs, repository, first|
          FileUtils.rm_rf("#{theirs.dir}/shop/a b")

          assert_equal ["a b/é.rb", "config.ru"], repository.files(first).sort
        end
      end

      test "changes are those below the application's folder, including new files" do
        with_repository do |theirs, repository|
          assert_equal 0, repository.changes
          theirs.write("shop/config.ru" => "two", "shop/new.rb" => "", "beside" => "")

          assert_equal 2, repository.changes
        end
      end

      test "files that the caller writes himself are no changes" do
        with_repository do |theirs, repository|
          theirs.write("shop/out/a [1].md" => "", "shop/out/a 1.md" => "", "shop/b.xml" => "")
          besides = ["out/a [1].md", "b.xml"].map { |path| "#{theirs.dir}/shop/#{path}" }

          assert_equal [2, 1], [repository.changes, repository.changes(besides:)]
          FileUtils.rm("#{theirs.dir}/shop/out/a 1.md")
          assert_equal 0, repository.changes(besides: [*besides, "/elsewhere/c.md"])
        end
      end

      test "untracked are files that git lacks, ignored or not, that match a pattern" do
        files = { ".gitignore" => "*.key\n", "shop/config/a.yml" => "" }
        with_repository(files) do |theirs, repository|
          theirs.write("shop/config/master.key" => "k", "shop/config/b.yml" => "",
                       "shop/config/deep/c.yml" => "", "shop/other" => "")

          assert_equal ["config/b.yml", "config/master.key"],
                       repository.untracked(%w[config/*.yml config/*.key]).sort
        end
      end

      test "a checkout is the whole commit and a repository, and leaves no trace in the original" do
        files = { "shop/config.ru" => "one", "lib/x.rb" => "x" }
        with_repository(files) do |theirs, repository, first, dir|
          theirs.commit("shop/config.ru" => "two", "shop/new.rb" => "")
          theirs.write("shop/config.ru" => "three")
          before = theirs.snapshot
          repository.check_out(first, "#{dir}/out")

          assert_equal before, theirs.snapshot
          assert_equal %w[one x], (files.keys.map { |path| File.read("#{dir}/out/#{path}") })
          refute_path_exists "#{dir}/out/shop/new.rb"
          out = Repository.new("#{dir}/out/shop")
          assert_equal [first, 0, ["config.ru"]],
                       [out.commit("HEAD"), out.changes, out.files("HEAD")]
        end
      end

      test "filters of the person's repository run, its hooks don't" do
        files = { ".gitattributes" => "*.ru filter=up\n", "shop/config.ru" => "one" }
        with_repository(files) do |theirs, repository, first, dir|
          theirs.git("config", "filter.up.smudge", "tr a-z A-Z")
          %w[post-checkout post-index-change].each do |hook|
            theirs.write(".git/hooks/#{hook}" => "#!/bin/sh\ntouch #{dir}/hooked\n")
            File.chmod(0o755, "#{theirs.dir}/.git/hooks/#{hook}")
          end
          repository.check_out(first, "#{dir}/out")

          assert_equal "ONE", File.read("#{dir}/out/shop/config.ru")
          refute_path_exists "#{dir}/hooked"
        end
      end

      test "a shallow clone and a worktree can be checked out too" do
        with_repository do |theirs, _, _, dir|
          second = theirs.commit("shop/config.ru" => "two")
          theirs.git("clone", "--quiet", "--depth=1", "file://#{theirs.dir}", "#{dir}/shallow")
          theirs.git("worktree", "add", "--quiet", "--detach", "#{dir}/tree")
          %w[shallow tree].each do |kind|
            Repository.new("#{dir}/#{kind}/shop").check_out(second, "#{dir}/of #{kind}")

            assert_equal "two", File.read("#{dir}/of #{kind}/shop/config.ru")
          end
        end
      end

      test "a failure of git is reported in git's words" do
        with_repository do |_, repository, _, dir|
          error = assert_raises(EnvironmentError) { repository.check_out("0" * 40, "#{dir}/out") }

          assert_match(/\Agit read-tree failed in .*: fatal: .*0000/, error.message)
        end
      end

      private

      def with_environment(variables)
        before = variables.keys.to_h { |name| [name, ENV.fetch(name, nil)] }
        ENV.update(variables)
        yield
      ensure
        ENV.update(before)
      end
    end
  end
end
