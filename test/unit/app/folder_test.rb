# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class FolderTest < TestCase
      include Screens

      # The golden file of its sentences (Screens#assert_said).
      SAID = "said-app"

      test "a folder with only a config.ru is a Rack application" do
        with_files("config.ru" => "run proc { }") do |dir|
          app = Folder.load(dir)

          assert_equal File.basename(dir), app.name
          refute_predicate app, :rails?
          assert_nil app.gemfile
          assert_nil app.lock
          assert_nil app.database
          assert_equal ["GET /"], app.default_requests.map(&:to_s)
          refute_predicate app, :rails?
          assert_predicate app, :frozen?
        end
      end

      test "facts of a Rails application are read without running it" do
        files = {
          "config.ru" => "raise 'not run'", "Gemfile" => "raise 'not run'",
          "Gemfile.lock" => "    rack (2.2.1)\n    railties (7.2.1)\n    sinatra (4.0)\n",
          ".ruby-version" => "ruby-3.4.5\n",
          "config/database.yml" => "production:\n  adapter: postgresql\n  pool: 3\n",
        }
        with_files(files) do |dir|
          app = Folder.load(dir)

          assert_predicate app, :rails?
          assert_equal ["3.4.5", ".ruby-version"], [app.ruby, app.ruby_source]
          assert_equal ["postgresql", 3], [app.database.adapter, app.database.pool]
          assert_equal File.join(dir, "Gemfile.lock"), app.lock
        end
      end

      test "which Rubies it allows is read from its Gemfile and its gemspec, not from its lock" do
        files = { "config.ru" => "", "Gemfile" => "ruby '< 4'\ngemspec\n",
                  "Gemfile.lock" => "RUBY VERSION\n   ruby 3.1.2p20\n",
                  "shop.gemspec" => "s.required_ruby_version = '>= 3.1'\n" }
        with_files(files) do |dir|
          assert_equal ["ruby '< 4' in the Gemfile",
                        "required_ruby_version '>= 3.1' in shop.gemspec"],
                       Folder.load(dir).ruby_requirements.map(&:to_s)
        end
        with_files(files.merge("Gemfile" => "ruby VERSION\n")) do |dir|
          app = Folder.load(dir)
          assert_empty app.ruby_requirements
          assert_equal ["3.1.2", "Gemfile.lock"], [app.ruby, app.ruby_source]
        end
        with_files(files.merge("Gemfile" => "gem 'rack'\n")) do |dir|
          assert_empty Folder.load(dir).ruby_requirements
        end
      end

      test "the gemspec of a gem in another folder counts too, as Bundler enforces it" do
        files = { "shop.gemspec" => "s.required_ruby_version = '>= 3.2'\n",
                  "sale/sale.gemspec" => "s.required_ruby_version = '< 4'\n",
                  "later/later.gemspec" => "s.required_ruby_version = '>= 9'\n",
                  "example/config.ru" => "",
                  "example/Gemfile" => <<~GEMFILE }
                    gem "shop", path: "../" # this repository's own
                    gem("sale", "~> 1", :path => '../sale')
                    gem "gone", path: "../gone"
                    if ENV["LATER"]
                      gem "later", path: "../later"
                    end
                  GEMFILE
        with_files(files) do |dir|
          assert_equal ["required_ruby_version '>= 3.2' in ../shop.gemspec",
                        "required_ruby_version '< 4' in ../sale/sale.gemspec"],
                       Folder.load(File.join(dir, "example")).ruby_requirements.map(&:to_s)
        end
      end

      test "in a folder of a repository, the version files of the folders above count" do
        files = { "config.ru" => "", "app/config.ru" => "", "app/api/config.ru" => "",
                  ".ruby-version" => "3.2.9\n", "app/.tool-versions" => "ruby 3.3.8\n" }
        with_files(files) do |dir|
          assert_equal [nil, nil], wanted(dir, "app/api"), "above a folder without a repository"

          FileUtils.mkdir(File.join(dir, ".git"))

          assert_equal %w[3.2.9 .ruby-version], wanted(dir, ".")
          assert_equal %w[3.3.8 ../.tool-versions], wanted(dir, "app/api")
          File.write(File.join(dir, "app/api/.ruby-version"), "3.4.5")

          assert_equal %w[3.4.5 .ruby-version], wanted(dir, "app/api")
        end
      end

      test "gems.rb and gems.locked stand for Gemfile and its lock" do
        files = { "config.ru" => "", "gems.rb" => 'gem "roda"',
                  "gems.locked" => "    roda (3.80.0)\n" }
        with_files(files) do |dir|
          app = Folder.load(dir)

          assert_equal File.join(dir, "gems.rb"), app.gemfile
          assert_equal File.join(dir, "gems.locked"), app.lock
        end
      end

      test "another Gemfile, relative to the folder, is read with its own lock" do
        files = { "config.ru" => "", "Gemfile" => "", "Gemfile.lock" => "    roda (3.80.0)\n",
                  "Gemfile.next" => "", "Gemfile.next.lock" => "    rails (8.1.0)\n",
                  "gemfiles/rails.gemfile" => "gem 'rails', '8.0.2'\n" }
        with_files(files) do |dir|
          found = Folder.load(dir, gemfile: "Gemfile.next")
          rails = Folder.load(dir, gemfile: "gemfiles/rails.gemfile")

          assert_equal [true, "#{dir}/Gemfile.next", "#{dir}/Gemfile.next.lock"],
                       [found.rails?, found.gemfile, found.lock]
          assert_equal [true, nil], [rails.rails?, rails.lock]
          refute_predicate Folder.load(dir), :rails?
        end
      end

      test "the gemspec is read if the Gemfile refers to it" do
        files = { "config.ru" => "", "Gemfile" => "gemspec\n",
                  "x.gemspec" => "  s.add_dependency('rails', \"~> 8.0\")\n" }
        with_files(files) { |dir| assert_predicate Folder.load(dir), :rails? }
      end

      test "a checks.yml names what to measure and what to check" do
        checks = "requests:\n  - get: /posts/1.json\nchecks:\n  - get: /up\n    status: 204\n"
        with_files("config.ru" => "", "checks.yml" => checks) do |dir|
          app = Folder.load(dir)

          assert_equal ["/posts/1.json"], app.default_requests.map(&:path)
          assert_equal [["/up", 204]], app.checks.map { |check| [check.request.path, check.status] }
        end
      end

      test "options for rackup in config.ru are reported as unused" do
        with_files("config.ru" => "#\\ -p 4567 -E development\nrun App\n") do |dir|
          assert_equal [Note.of("rackup_options", options: "-p 4567 -E development")],
                       Folder.load(dir).notes
        end
      end

      test "a folder without config.ru is refused with what to do" do
        with_files("README" => "") do |dir|
          error = assert_raises(UsageError) { Folder.load(dir) }

          assert_match(/no config\.ru in #{dir}.*: --app DIR\z/, error.message)
          refute Folder.app?(dir)
        end
      end

      test "a config.ru of comments alone is refused before any gem is installed" do
        block = "=begin\nRun it as you like.\n\n=end\n\n# enter your Ruby code here ...\n"
        with_files("config.ru" => block) do |dir|
          assert_match(/config\.ru has only comments.*run MyApp/,
                       assert_raises(UsageError) { Folder.load(dir) }.message)
        end
        ["# the shop\nrun Shop\n", "#{block}run Shop\n", "x = '# run'; run Shop"].each do |text|
          with_files("config.ru" => text) { |dir| assert_equal dir, Folder.load(dir).dir }
        end
      end

      test "an application one level down is suggested" do
        with_files("shop/config.ru" => "") do |dir|
          error = assert_raises(UsageError) { Folder.load(dir) }

          assert_includes error.message, ": --app #{dir}/shop"
        end
      end

      test "where a study file names the folder, no option is" do
        with_files("shop/config.ru" => "", "none/x" => "") do |dir|
          found = ["", "/none", "/nowhere"].map do |place|
            assert_raises(UsageError) { Folder.load("#{dir}#{place}", file: "study.yml") }.message
          end

          here = Regexp.escape(dir)
          facts = [%r{config\.ru in #{here}\. .*: app: #{here}/shop in study\.yml},
                   %r{config\.ru in #{here}/none, .*app in study\.yml},
                   %r{: #{here}/nowhere .*app: }]
          facts.zip(found) { |fact, text| assert_match fact, text }
        end
      end

      test "a study file can name a bundled application by its folder" do
        error = assert_raises(UsageError) { Folder.load("/nowhere/hello", file: "study.yml") }
        folder = error.message[/\(set app: .* folder; the bundled hello is (.*)\)\z/, 1]

        assert_equal "hello", Folder.load(folder).name
      end

      test "a missing folder is reported" do
        error = assert_raises(UsageError) { Folder.load("/nowhere/at/all") }

        assert_said(error.message)
      end

      test "the bundled applications can be loaded" do
        found = Dir[File.join(Mohs.root, "apps", "*")].sort.to_h do |dir|
          app = Folder.load(dir)
          [app.name, [app.rails?, app.requests.map(&:path), app.checks.empty?]]
        end

        assert_equal [false, ["/"], false], found.fetch("hello")
        assert_equal [false, ["/"], false], found.fetch("primes")
        assert_equal [true, ["/posts/1.json"], false], found.fetch("posts")
      end

      private

      def wanted(*path)
        app = Folder.load(File.join(*path))
        [app.ruby, app.ruby_source]
      end
    end
  end
end
