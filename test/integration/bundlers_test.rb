# frozen_string_literal: true

require "test_helper"

module Mohs
  # What inside/bundle.rb calls, on every line of Bundler: the internals that it uses change without
  # a warning. The last release of each line runs on the oldest CRuby here that fits: of the oldest
  # and of the newest line always, of those between them with --all.
  class BundlersTest < TestCase
    include BundledApp

    BUNDLERS = [["2.2.34", "~> 3.1"], ["2.3.27", "~> 3.1"], ["2.4.22", "~> 3.1"],
                ["2.5.23", "~> 3.1"], ["2.6.9", "~> 3.1"], ["2.7.2", "~> 3.2"],
                ["4.0.24", "~> 3.2"], ["4.0.24", ">= 4.0"]].freeze
    DAILY = [BUNDLERS.first, *BUNDLERS.last(2)].freeze
    FETCH_S = 300

    attr_reader :ruby

    # The folder with this version of Bundler, fetched once.
    def fetched(version)
      home = File.join(SHARED, "bundler-#{version}")
      return home if File.directory?(home)

      Dir.mktmpdir("bundler", FileUtils.mkdir_p(SHARED).first) do |folder|
        words = %W[gem install bundler -v #{version} -i #{folder} --no-document --force]
        command = Process::Command.new(argv: [Gem.ruby, "-S", *words])
        result = Process::Capture.call(command, timeout_s: FETCH_S)
        assert_predicate result, :success?, result.stdout + result.stderr
        File.rename("#{folder}/gems/bundler-#{version}", home)
      end
      home
    end

    # A Ruby that has this Bundler in place of its own.
    def with(version, needs)
      fits = Gem::Requirement.new(needs)
      found = Rubies.all(env: ENVIRONMENT).find do |one|
        one.ok? && one.engine == "ruby" && fits.satisfied_by?(one.gem_version)
      end
      skip "no Ruby #{needs} is installed" unless found

      @ruby = found.dup
      @ruby.rubygems = App::Bundle::OwnRubygems::GOOD_ENOUGH.to_s
      @ruby.launch_env = { "RUBYLIB" => File.join(fetched(version), "lib") }
    end

    def install(root, **options)
      result = bundle(root, **options).install
      [result.reason&.summary, File.read("#{bundle(root, **options).folder}/install.log")]
    end

    # Gems for this platform and another one, and one whose extension must not be compiled.
    def add_gems(gems)
      %w[ruby x86_64-linux java].each do |platform|
        gems.add("native", "1.0", files: { "lib/native.rb" => "" }) do |gem|
          gem.platform = platform
        end
      end
      gems.add("left_out", "1.0")
    end

    GEMFILE = <<~RUBY
      source "SOURCE"
      gem "tiny", "1.0"
      gem "native"
      gem "left_out", group: :test
      gem "local", path: "local"
    RUBY
    LOCAL = "Gem::Specification.new('local', '0.1') { |gem| gem.summary = gem.name; " \
            "gem.authors = ['a']; gem.files = [] }\n"
    LOCK = <<~TEXT
      GEM
        remote: SOURCE/
        specs:
          native (1.0)
          native (1.0-java)
          native (1.0-x86_64-linux)
          tiny (2.0)

      PLATFORMS
        java
        ruby
        x86_64-linux

      DEPENDENCIES
        native
        tiny
    TEXT

    BUNDLERS.each do |version, needs|
      kind = DAILY.include?([version, needs]) ? :test : :slow_test

      send kind, "gems are installed, copied and served with Bundler #{version} on Ruby #{needs}" do
        with(version, needs)
        with_app("Gemfile" => GEMFILE, "local/local.gemspec" => LOCAL) do |_, root, gems|
          add_gems(gems)
          reason, log = install(root)
          assert_nil reason, log
          versions = bundle(root).versions
          assert_equal [version, "1.0", "1.0", "0.1", nil],
                       versions.values_at("bundler", "tiny", "native", "local", "left_out")
          assert_match(/\A1\.0 -p 1 .*\blocal native .*served\b/, serve(bundle(root), root))
          write("#{root}/app/local/local.gemspec", "#{LOCAL}# another\n")
          refute_predicate bundle(root), :ready?, "the gemspec has changed"

          homes = { "GEM_HOME" => Dir.glob("#{root}/cache/gems/*/ruby/*").first }
          write("#{root}/other/config.ru", "run 1")
          reason, log = install(root, cache_dir: "#{root}/more", env: homes)
          assert_nil reason, log
          assert_match(/^Copying 3 installed gems$/, log)
        end
      end

      send kind, "a lock for another Ruby is found with Bundler #{version} on Ruby #{needs}" do
        with(version, needs)
        with_app("Gemfile" => "source \"SOURCE\"\ngem \"tiny\"\ngem \"native\"\n",
                 "Gemfile.lock" => LOCK) do |_, root, gems|
          add_gems(gems)
          reason, log = install(root)
          why = /requires Ruby >= 99|\(Bundler chose 1\.0\)/
          assert_match(/Gemfile\.lock .*#{ruby.name}: tiny 2\.0 (?:#{why})\z/, reason, log)
        end
      end

      send kind, "the first gem that does not build ends Bundler #{version} on Ruby #{needs}" do
        with(version, needs)
        gemfile = "source \"SOURCE\"\ngem \"broken\"\ngem \"long\"\n"
        with_app("Gemfile" => gemfile) do |_, root, gems|
          codes = { "broken" => "abort 'no such header'",
                    "long" => "sleep 30; File.write('#{root}/end', '')" }
          codes.each do |name, code|
            gems.add(name, "1.0", files: { "ext/extconf.rb" => code }) do |gem|
              gem.extensions = ["ext/extconf.rb"]
            end
          end
          reason, log = install(root)
          assert_match(/\Abroken-1\.0 .*build/, reason, log)
          refute_path_exists "#{root}/end"
        end
      end
    end
  end
end
