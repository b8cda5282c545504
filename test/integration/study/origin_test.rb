# frozen_string_literal: true

require "test_helper"

module Mohs
  class Study
    class OriginTest < TestCase
      FILES = { "config.ru" => "", "Gemfile" => "", "Gemfile.lock" => "", "Gemfile.next" => "",
                "gemfiles/rails_8.gemfile" => "", "config/puma.rb" => "",
                "config/puma/big.rb" => "", "config/environment.rb" => "" }.freeze

      def with_shop(files = FILES)
        with_files do |dir|
          theirs = GitRepository.new("#{dir}/shop")
          first = theirs.commit("README" => "")
          second = theirs.commit(files)
          app = App.new(name: "shop", dir: theirs.dir)
          yield Origin.new(app), theirs, first, second
        end
      end

      def found(origin, text) = origin.call(Notation.parse(text))

      test "what is not named is not looked for: a folder in no repository will do" do
        with_files do |dir|
          nothing = { revision: nil, gemfile: nil, config: nil, refusal: nil }

          assert_equal nothing, found(Origin.new(App.new(name: "shop", dir:)), "3.4.5")
        end
      end

      test "a revision is known by its full id, and stays so when its branch moves" do
        with_shop do |origin, theirs, _, second|
          before = found(origin, "@main")
          theirs.commit("more" => "")

          assert_equal({ typed: "@main", commit: second }, before[:revision])
          refute_equal second, found(origin, "@main").dig(:revision, :commit)
        end
      end

      test "Gemfiles and configurations are found in the folder" do
        with_shop do |origin, theirs|
          outside = "#{theirs.dir}/config/puma/big.rb"
          ["Gemfile.next", "./Gemfile.next", "gemfiles/rails_8.gemfile"].each do |path|
            assert_equal path, found(origin, path)[:gemfile]
          end
          assert_equal ["config/puma.rb", outside],
                       (["config/puma.rb", outside].map { |path| found(origin, path)[:config] })
        end
      end

      test "with a revision they are found in the commit, not in the folder" do
        with_shop do |origin, theirs|
          theirs.write("Gemfile.new" => "")
          FileUtils.rm("#{theirs.dir}/Gemfile.next")

          assert_equal "./Gemfile.next", found(origin, "@main, ./Gemfile.next")[:gemfile]
          error = assert_raises(UsageError) { found(origin, "@main, Gemfile.new") }
          assert_match(/\Ano Gemfile.new in shop at @main\. .*There: Gemfile, Gemfile.next, gemf/,
                       error.message)
        end
      end

      test "an absolute path is none of the commit's, and a folder is no file" do
        with_shop do |origin, theirs|
          theirs.write("new/puma.rb" => "")
          outside = "#{theirs.dir}/new/puma.rb"

          assert_equal outside, found(origin, "@main, #{outside}")[:config]
          assert_equal "./new/puma.rb", found(origin, "./new/puma.rb")[:config]
          assert_raises(UsageError) { found(origin, "@main, ./new/puma.rb") }
        end
      end

      test "one that is missing is a mistake that tells those of its kind that are there" do
        with_shop do |origin, theirs|
          messages = ["Gemfile.nxt", "config/pumma.rb"].map do |text|
            assert_raises(UsageError) { found(origin, text) }.message
          end

          assert_equal ["no Gemfile.nxt in #{theirs.dir}. Did you mean Gemfile.next? " \
                        "There: Gemfile, Gemfile.next, gemfiles/rails_8.gemfile.",
                        "no config/pumma.rb in #{theirs.dir}. Did you mean config/puma.rb? " \
                        "There: config/puma.rb, config/puma/big.rb."], messages
        end
      end

      test "where there is none at all, that is said" do
        with_shop("config.ru" => "") do |origin, theirs|
          error = assert_raises(UsageError) { found(origin, "Gemfile.next") }

          assert_match(/\Ano Gemfile\.next in #{Regexp.escape(theirs.dir)}\. .*no others/,
error.message)
        end
      end

      test "a commit without an application refuses its variant, and is no mistake" do
        with_shop do |origin, _, first|
          at = found(origin, "@main~1")

          assert_equal first, at.dig(:revision, :commit)
          assert_match(/\Ano config\.ru at @main~1: /, at[:refusal].summary)
        end
      end
    end
  end
end
