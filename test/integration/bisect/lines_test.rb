# frozen_string_literal: true

require "test_helper"

module Mohs
  module Bisect
    class LinesTest < TestCase
      CONFIG = { "shop/config.ru" => "run ->(_) { [200, {}, []] }\n" }.freeze
      ON = Study::Notation.new(ruby: "3.4.5", server: "puma:1x2")
      LOCK = <<~LOCK
        PATH
          remote: engine
          specs:
            engine (0.1.0)
              rack (>= 2)

        GEM
          remote: https://rubygems.org/
          specs:
            actionpack (7.1.0)
              rack (>= 2)
              activesupport (= 7.1.0)
            activesupport (7.1.0)
              base64
            base64 (0.2.0)
            puma (6.4.0-java)
            rack (3.0.8)
            rails (7.1.0)
              actionpack (= 7.1.0)

        DEPENDENCIES
          engine!
          rack (~> 3.0)
          rails

        CHECKSUMS
          rack (3.0.8) sha256=aa
          rails (7.1.0) sha256=bb
          base64 (0.2.0) sha256=cc
      LOCK

      def with_commits(count)
        with_files do |dir|
          theirs = GitRepository.new("#{dir}/theirs")
          theirs.commit(CONFIG)
          ids = [theirs.git("rev-parse", "HEAD").strip]
          count.times { |i| ids << theirs.commit("shop/n" => i.to_s) }
          yield theirs, Bisect::Commits.new(App::Repository.new("#{dir}/theirs/shop"), on: ON), ids
        end
      end

      test "the line goes from the good commit to the bad one, each served in the same way" do
        with_commits(4) do |theirs, commits, ids|
          theirs.git("tag", "v1", ids[1])
          points = commits.points("@v1", "main")

          assert_equal ids[1..], points.map(&:id)
          assert_equal ["one more"], points.map(&:title).uniq
          assert_match(/\A\d{4}-\d\d-\d\d\z/, points.first.date)
          notation = points.last.notation
          assert_equal ["@#{points.last.name}", points.last.name, "3.4.5", "puma:1x2"],
                       notation.to_h.values_at(:revision, :label, :ruby, :server)
          assert ids.last.start_with?(points.last.name)
        end
      end

      test "a merge is one commit, whatever came with it" do
        with_commits(2) do |theirs, commits, ids|
          theirs.git("checkout", "--quiet", "-b", "side", ids[1])
          3.times { |i| theirs.commit("side" => i.to_s) }
          theirs.git("checkout", "--quiet", "main")
          theirs.git("merge", "--quiet", "--no-ff", "--message=Merge: a | b", "side")

          points = commits.points(ids[0], "main")
          assert_equal ids, points.first(3).map(&:id)
          assert_equal [4, "Merge: a | b"], [points.size, points.last.title]
        end
      end

      test "what git log was set to show besides, and ways to write dates, change nothing" do
        with_commits(2) do |theirs, commits, ids|
          { "log.showSignature" => "true", "log.date" => "relative", "color.ui" => "always",
            "format.pretty" => "fuller", "log.decorate" => "full" }
            .each { |name, value| theirs.git("config", name, value) }

          assert_equal ids, commits.points(ids[0], "main").map(&:id)
        end
      end

      test "the wrong way round, the same commit, and no line between the two are mistakes" do
        with_commits(2) do |theirs, commits, ids|
          theirs.git("checkout", "--quiet", "-b", "side", ids[1])
          theirs.commit("side" => "1")
          [["main", ids[0]], ["side", "main"], %w[main side]].each do |good, bad|
            message = assert_raises(UsageError) { commits.points(good, bad) }.message
            assert_match(/\A\h{12} .*descendant of \h{12} along first parents/, message)
          end
          assert_match(/\AHEAD~1 and #{ids[1]} .*one commit/,
                       assert_raises(UsageError) { commits.points("HEAD~1", ids[1]) }.message)
        end
      end

      Said = Struct.new(:stdout, :stderr, :success, :timed_out, keyword_init: true) do
        def success? = success
      end

      def versions(dir, stdout, gem: "rack", **output)
        result = Said.new(stdout:, stderr: "", success: true, **output)
        capture = lambda do |command, **|
          @asked = command.argv
          result
        end
        Bisect::Versions.new(gem, app: App::Folder.load(dir), on: ON, capture:,
                                  cache_dir: "#{dir}/cache")
      end

      APP = { "config.ru" => "", "Gemfile" => "gem \"rack\"\n", "Gemfile.lock" => LOCK }.freeze

      test "released versions from one to the other, in the order of numbers" do
        with_files(APP) do |dir|
          list = "rack (3.2.0.rc1, 3.1.10, 3.1.9 ruby java, 3.1.2, 3.0.8, 2.2.9)\n"
          points = versions(dir, "\n*** REMOTE GEMS ***\n\n#{list}").points("3.0.8", "3.1.10")

          assert_equal %w[3.0.8 3.1.2 3.1.9 3.1.10], points.map(&:id)
          assert_equal %w[--remote --all --exact --quiet rack], @asked.last(5)
          assert_equal ["rack 3.1.2", "3.4.5"], points[1].notation.to_h.values_at(:label, :ruby)
          gemfile = points[1].notation.gemfile
          assert_includes File.read(gemfile), '"= 3.1.2"'
          assert_path_exists "#{gemfile}.lock"
          assert_equal 4, points.map { |point| point.notation.gemfile }.uniq.size
        end
      end

      test "a version or gem that there is none of, and a wrong order, are mistakes" do
        with_files(APP) do |dir|
          wrong = lambda do |good, bad, list = "rack (3.1.2, 3.0.8)", **output|
            error = assert_raises(Error) { versions(dir, list, **output).points(good, bad) }
            [error.class, error.message]
          end

          assert_equal [UsageError, "no released rack 3.1.3 found. Did you mean 3.1.2?"],
                       wrong.call("3.0.8", "3.1.3")
          assert_equal [UsageError, "no released rack 9 found. The newest is 3.1.2."],
                       wrong.call("9", "3.1.2")
          kind, order = wrong.call("3.1.2", "3.0.8")
          assert_equal UsageError, kind
          assert_match(/\Arack 3\.1\.2 .*older than 3\.0\.8/, order)
          assert_equal [UsageError, "no released gem rack found."], wrong.call("1", "2", "")
          kind, silent = wrong.call("1", "2", "", success: false, stderr: "ERROR: no network\n at")
          assert_equal EnvironmentError, kind
          assert_match(/RubyGems .*versions of rack .*: ERROR: no network\z/, silent)
        end
        with_files("config.ru" => "") do |dir|
          error = assert_raises(UsageError) { versions(dir, "").points("1", "2") }
          assert_match(/no Gemfile .*rack/, error.message)
        end
      end

      def pinned(dir, gem)
        Bisect::PinnedGemfile.new(app: App::Folder.load(dir), gem:, version: "9.9")
      end

      test "of the lock only the gem goes, and those that are released together with it" do
        with_files(APP) do |dir|
          gone = ->(gem) { LOCK.lines - pinned(dir, gem).lock.lines }

          assert_equal ["    rack (3.0.8)\n", "  rack (3.0.8) sha256=aa\n"], gone.call("rack")
          lock = pinned(dir, "activesupport").lock
          assert_equal %w[engine base64 puma rack], lock.scan(/^ {4}(\w+) \(/).flatten
          assert_includes lock, "base64 (0.2.0) sha256=cc"
          refute_includes lock, "sha256=bb"
          assert_equal LOCK, pinned(dir, "sinatra").lock
        end
      end

      test "Bundler takes the Gemfile, whatever the application's says of the gem" do
        declared = <<~RUBY
          gem "puma"
          group(:test) { gem "rack", "~> 3.0", require: false }
        RUBY
        with_files(**APP, "Gemfile" => declared) do |dir|
          path = pinned(dir, "rack").write("#{dir}/cache")
          script = "require 'bundler'; d = Bundler::Dsl.new; d.eval_gemfile(ARGV[0]); " \
                   "d.dependencies.each { |x| " \
                   "p [x.name, x.requirement.to_s, x.groups, x.autorequire] }"
          env = { "BUNDLE_GEMFILE" => nil, "RUBYOPT" => nil }
          output, = Open3.capture2e(env, Gem.ruby, "-e", script, path, chdir: dir)

          assert_equal ['["puma", ">= 0", [:default], nil]',
                        '["rack", "= 9.9", [:default, :test], []]'], output.lines(chomp: true)
          assert_equal declared, File.read("#{dir}/Gemfile")
          assert_equal LOCK, File.read("#{dir}/Gemfile.lock")
        end
      end
    end
  end
end
