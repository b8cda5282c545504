# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class RevisionTest < TestCase
      IGNORED = ".env\n*.key\n*.sqlite3\nlog/\npublic/assets/\nnode_modules/\n"

      def with_shop(files = {})
        with_files do |dir|
          theirs = GitRepository.new("#{dir}/store")
          commit = theirs.commit(".gitignore" => IGNORED, "shop/config.ru" => "one",
                                 "shop/Gemfile" => "gem 'roda'\n", **files)
          yield theirs, commit, dir
        end
      end

      def revision(theirs, commit, dir, typed: "@main", folder: "shop")
        Revision.new(dir: "#{theirs.dir}/#{folder}", typed:, commit:, cache_dir: "#{dir}/cache")
      end

      test "the application is that of the commit, below the cache, with its own name" do
        with_shop("shop/Gemfile.next" => "gem 'sinatra'\n") do |theirs, commit, dir|
          theirs.commit("shop/config.ru" => "two", "shop/Gemfile" => "gem 'rails'\n")
          app = revision(theirs, commit, dir).app

          assert_equal ["shop", "one", "gem 'roda'\n"],
                       [app.name, File.read("#{app.dir}/config.ru"), File.read(app.gemfile)]
          assert_match(%r{\A#{dir}/cache/revisions/\h{20}/store/shop\z}, app.dir)
          assert_equal ["#{app.dir}/Gemfile", "#{theirs.dir}/shop"], [app.gemfile, app.origin]
          other = revision(theirs, commit, dir).app(gemfile: "Gemfile.next")
          assert_equal [app.dir, "#{app.dir}/Gemfile.next"], [other.dir, other.gemfile]
        end
      end

      test "an application at the top of its repository has the repository's name" do
        with_files do |dir|
          theirs = GitRepository.new("#{dir}/store")
          commit = theirs.commit("config.ru" => "one")
          app = revision(theirs, commit, dir, folder: "").app

          assert_equal ["store", "one"], [app.name, File.read("#{app.dir}/config.ru")]
        end
      end

      test "a commit is checked out once" do
        with_shop do |theirs, commit, dir|
          first = revision(theirs, commit, dir).folder
          File.write("#{first}/mark", "")

          assert_equal first, revision(theirs, commit, dir, typed: "@HEAD").folder
          assert_path_exists "#{first}/mark"
        end
      end

      test "files that a server needs and git lacks are copied with permissions, others not" do
        with_shop do |theirs, commit, dir|
          theirs.write("shop/.env" => "A=1", "shop/config/master.key" => "k",
                       "shop/db/production.sqlite3" => "data", "shop/log/production.log" => "x",
                       "shop/public/assets/app-1.js" => "js", "shop/node_modules/a.key" => "")
          File.chmod(0o600, "#{theirs.dir}/shop/config/master.key")
          app = revision(theirs, commit, dir).app

          copied = Dir.glob("**/*", File::FNM_DOTMATCH, base: app.dir)
                      .select { |path| File.file?(File.join(app.dir, path)) }
          assert_equal %w[.env Gemfile config.ru config/master.key db/production.sqlite3
                          public/assets/app-1.js], copied.sort
          assert_equal 0o600, File.stat("#{app.dir}/config/master.key").mode & 0o777
          assert_path_exists "#{app.dir}/log"
          assert_equal %w[.env config/master.key], app.notes.first.values[:copied].first(2)
        end
      end

      test "writes of a measured server do not reach the person's folder" do
        with_shop do |theirs, commit, dir|
          theirs.write("shop/db/production.sqlite3" => "data")
          folder = revision(theirs, commit, dir).folder
          File.write("#{folder}/db/production.sqlite3", "written")

          assert_equal "data", File.read("#{theirs.dir}/shop/db/production.sqlite3")
        end
      end

      test "a changed copy makes another checkout" do
        with_shop do |theirs, commit, dir|
          theirs.write("shop/.env" => "A=1")
          first = revision(theirs, commit, dir).folder
          theirs.write("shop/.env" => "A=22")
          second = revision(theirs, commit, dir).folder

          assert_equal %w[A=1 A=22], ([first, second].map { |folder| File.read("#{folder}/.env") })
        end
      end

      test "committed files take precedence over those in the folder" do
        with_shop("shop/config/database.yml" => "committed") do |theirs, commit, dir|
          theirs.git("rm", "--quiet", "--cached", "shop/config/database.yml")
          theirs.git("commit", "--quiet", "--message=ours alone")
          theirs.write("shop/config/database.yml" => "mine")
          app = revision(theirs, commit, dir).app

          assert_equal "committed", File.read("#{app.dir}/config/database.yml")
        end
      end

      test "a file too large to copy stays behind, with a note" do
        with_shop do |theirs, commit, dir|
          theirs.write("shop/db/big.sqlite3" => "")
          File.truncate("#{theirs.dir}/shop/db/big.sqlite3", Revision::LARGEST_BYTES + 1)
          app = revision(theirs, commit, dir).app

          refute_path_exists "#{app.dir}/db/big.sqlite3"
          assert_includes app.notes, Note.of("too_large_to_copy", typed: "@main",
                                                                  path: "db/big.sqlite3")
        end
      end

      test "notes name the commit, and uncommitted changes if it is the last one" do
        with_shop do |theirs, commit, dir|
          clean = revision(theirs, commit, dir).app.notes
          theirs.write("shop/config.ru" => "dirty")
          dirty = revision(theirs, commit, dir, typed: "@HEAD").app.notes
          theirs.commit
          theirs.write("shop/config.ru" => "dirtier")

          assert_equal [Note.of("checked_out", typed: "@main", commit: commit[0, 12], copied: [],
                                               of: 0)], clean
          assert_equal Note.of("changes_left", typed: "@HEAD", files: 1), dirty.last
          assert_equal clean, revision(theirs, commit, dir).app.notes
        end
      end

      test "missing submodules are reported" do
        with_shop(".gitmodules" => "") do |theirs, commit, dir|
          assert_includes revision(theirs, commit, dir).app.notes,
                          Note.of("submodules_left", typed: "@main")
        end
      end

      test "only a few of many copied files are named" do
        with_shop do |theirs, commit, dir|
          theirs.write((1..9).to_h { |number| ["shop/public/assets/#{number}.js", ""] })

          note = revision(theirs, commit, dir).app.notes.first
          copied, count = note.values.values_at(:copied, :of)
          assert_equal ["public/assets/6.js", 6, 9], [copied.last, copied.size, count]
        end
      end
    end
  end
end
