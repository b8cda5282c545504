# frozen_string_literal: true

require "test_helper"

module Mohs
  class BundleFailureTest < TestCase
    include RubyFacts
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-app-bundle"

    def reason(log, version = "2.7.4") = App::Bundle::Failure.explain(log, ruby(version))

    def explain(...) = reason(...).summary

    def broken_build(output, gem: "pg (1.5.9)")
      "Gem::Ext::BuildError: ERROR: Failed to build gem native extension.\n#{output}\n" \
        "An error occurred while installing #{gem}, and Bundler cannot\ncontinue.\n\n" \
        "In Gemfile:\n  pg\n"
    end

    test "a build that lacks a package names it" do
      { "checking for pg_config... no" => ["pg_config", "libpq-dev"],
        "checking for sqlite3.h... no" => ["sqlite3.h", "libsqlite3-dev"],
        "mkmf.rb can't find header files for ruby at /usr/lib" => ["Ruby's headers",
                                                                   "ruby-dev"],
        "mysql_config not found" => ["mysql_config", "default-libmysqlclient-dev"],
        "psych.c:1: fatal error: yaml.h: No such file" => ["yaml.h", "libyaml-dev"],
        "sh: 1: make: not found" => ["a compiler",
                                     "build-essential"] }.each do |output, (what, package)|
        found = reason(broken_build(output))
        assert_equal ["gem_not_built", "apt-get install #{package}"], [found.code, found.remedy]
        assert_match(/\Apg-1\.5\.9 .*: #{what} not found\z/, found.summary)
      end
    end

    # [output, gem, lock] => would each other Ruby fail as well?
    OF_ANY_RUBY = {
      ["mysql_config not found", "mysql2 (0.5.6)", "    mysql2 (0.5.6)\n"] => true,
      ["checking for pg_config... no", "pg (1.6.2)",
       "    pg (1.6.2)\n    pg (1.6.2-x86_64-linux)\n"] => false,
      ["checking for pg_config... no", "pg (1.6.2)",
       "    pg (1.6.2)\n    pg (1.6.2-x64-mingw-ucrt)\n    pgx (1.6.2-x86_64-linux)\n"] => true,
      ["mkmf.rb can't find header files for ruby at /usr/lib", "pg (1.6.2)", ""] => false,
      ["psych.c:1: fatal error: yaml.h: No such file", "psych (4.0.3)", ""] => false,
      ["a.c:1: fatal error: st.h: No such file", "pg (1.6.2)", ""] => false,
      ["x.c:3:1: error: unknown type name 'foo'", "pg (1.6.2)", ""] => false,
      ["checking for openssl/ssl.h... no\nx.c:3:1: error: unknown type", "puma (4)", ""] => false,
    }.freeze

    test "a package that the machine lacks fails each Ruby, so none is named" do
      found = OF_ANY_RUBY.keys.map do |output, gem, lock|
        log = broken_build(output, gem:)
        App::Bundle::Failure.explain(log, ruby("2.7.4"), lock:)
      end

      assert_equal OF_ANY_RUBY.values,
                   (found.map { |reason| App::Bundle::Failure.of_any_ruby?(reason) })
      assert_equal OF_ANY_RUBY.values, (found.map { |one| !one.summary.include?("2.7.4") })
      assert App::Bundle::Failure.of_any_ruby?(Reason.new(code: "disk_full"))
      refute App::Bundle::Failure.of_any_ruby?(Reason.new(code: "gem_requires_ruby"))
    end

    OUTSIDE = {
      "[!] There was an error parsing `Gemfile`: No such file or directory @ rb_sysopen - " \
      "/c/apps/a b/Gemfile. Bundler cannot continue.\n" => "/c/apps/a b/Gemfile",
      "No such file or directory @ rb_sysopen - ../.ruby-version. Bundler cannot\n" =>
        "/c/packs/.ruby-version",
      "The path `/c/packs/apple` does not exist.\n" => "/c/packs/apple",
      "There are no gemspecs at /c/engine. Bundler cannot continue.\n" => "/c/engine",
      "No such file or directory @ rb_sysopen - config/x. Bundler cannot continue.\n" => nil,
      "The path `/c/packs/app/engine` does not exist.\n" => nil,
      "undefined method `gme'\n" => nil,
    }.freeze

    test "a file that is missing outside a folder" do
      found = OUTSIDE.keys.map { |log| App::Bundle::Failure.outside(log, "/c/packs/app") }

      assert_equal OUTSIDE.values, found
    end

    test "one cause under two Rubies is one cause, two gems or two causes are two" do
      log = broken_build("checking for pg_config... no")
      needs = "nokogiri-1.18.1 requires ruby version >= 3.1, which is incompatible with x\n"
      locked = %w[2.7.4 3.0.6].map do |version|
        App::Bundle::Failure.unfit([["a", "1", ">= 9"]], ruby(version))
      end

      [log, needs].each { |one| assert_equal reason(one).cause, reason(one, "3.0.6").cause }
      assert_equal(*locked.map(&:cause))
      refute_equal reason(log).cause, reason(broken_build("no more")).cause
      refute_equal reason(log).cause, reason(log.gsub("pg (", "pgx (")).cause
    end

    test "a build does not lack what it found" do
      output = "checking for pg_config... yes\na.c:1: fatal error: odd.h: No such file"
      assert_match(/\Apg-1\.5\.9 .*: odd\.h not found\z/, explain(broken_build(output)))
    end

    test "any other broken build shows the compiler's first error" do
      output = "cc -o x\nx.c:3:1: error: unknown type name 'foo'\nx.c:4: error: b"
      assert_match(/\Aiodine-0\.7 .*: x\.c:3:1: error: unknown type name 'foo'\z/,
                   explain(broken_build(output, gem: "iodine (0.7)")))
      assert_match(/\Apg-1\.5\.9 .*: odd\.h not found\z/,
                   explain(broken_build("a.c:1: fatal error: odd.h: No such file")))
      assert_said(explain(broken_build("no more")))
      full = reason(broken_build("cc: No space left on device"))
      assert_equal "disk_full", full.code
      assert_match(/\Apg-1\.5\.9: /, full.summary)
    end

    test "a gem that requires a newer Ruby says which" do
      log = "nokogiri-1.18.1 requires ruby version >= 3.1, < 3.5.dev, which is incompatible with " \
            "the current version, ruby 2.7.4p191\n"
      assert_said(explain(log))
    end

    test "a lock with merge conflicts is recognised" do
      log = "Your lockfile contains merge conflicts.\n" \
            "Run `git checkout HEAD --\n../Gemfile.lock` " \
            "first\nto get a clean lock.\n"
      assert_equal "lock_unmerged", reason(log).code
      assert_match(/<<<<<<< .*>>>>>>>/, reason(log).remedy)
    end

    test "an application whose own gemspec requires a newer Ruby is named" do
      log = "Could not find compatible versions\n\n" \
            "Because every version of geminabox depends on Ruby >= 3.0.0\n" \
            "  and Gemfile depends on geminabox >= 0,\n  Ruby >= 3.0.0 is required.\n" \
            "So, because current Ruby version is = 2.7.4,\n  version solving has failed.\n"
      assert_said(explain(log))
    end

    test "gems that don't fit together are reported in the resolver's words" do
      log = "Resolving dependencies...\nCould not find compatible versions\n\n" \
            "Because every version of puma depends on Ruby >= 3.0\n" \
            "  and Gemfile depends on puma >= 8,\n  version solving has failed.\n\nmore\n"
      assert_equal "Because every version of puma depends on Ruby >= 3.0 and Gemfile depends on " \
                   "puma >= 8, version solving has failed",
                   explain(log)
    end

    test "a gem that can't be found is named" do
      output = "Could not find gem 'nope' in rubygems repository https://x/ or installed locally"
      assert_equal output, explain("Fetching\n#{output}.\n")
    end

    test "a missing network, a missing password and a broken Gemfile are reported" do
      away = reason("Could not reach host index.rubygems.org. Check your network.\n")
      somewhere = reason("Retrying fetcher due to error: getaddrinfo failed\n")
      assert_equal [%w[gems_not_fetched] * 2, [true, false]],
                   [[away, somewhere].map(&:code),
                    [away, somewhere].map { |one| one.summary.include?("index.rubygems.org") }]
      assert_match(/network/, [away, somewhere].map(&:remedy).uniq.join)
      assert_equal "gems.example.com needs credentials\nbundle config gems.example.com USER:PASS",
                   reason("Authentication is required for gems.example.com.\n").to_s
      broken = reason("[!] There was an error parsing `Gemfile`: undefined method `gme'\n")
      assert_equal "gemfile_broken", broken.code
      assert_match(/: undefined method `gme'\z/, broken.summary)
    end

    test "otherwise the last paragraph is shown, its last line if it is long" do
      assert_equal "last words", explain("first\n\nFetching x\nlast\nwords\n\n")
      assert_equal "last", explain("#{'first ' * 40}\nlast\n")
      assert_said(explain(""))
      assert_equal "why", explain("why\n from call.c:103:in `rb_yield'\n```\n")
    end

    test "a lock that does not work names at most three gems" do
      gems = %w[a b c d e].map { |name| [name, "2", "1"] }
      output = App::Bundle::Failure.moved(gems, ruby("2.7.4")).summary
      assert_operator output, :end_with?,
                      " 2.7.4: a 2 (Bundler chose 1), b 2 (Bundler chose 1), " \
                      "c 2 (Bundler chose 1) and 2 more"
      refute_includes App::Bundle::Failure.moved(gems.first(1), ruby).summary, "more"
    end

    test "on JRuby no package helps with an extension in C" do
      output = App::Bundle::Failure.explain(broken_build("checking for sqlite3.h... no"),
                                          ruby("9.4.14.0", engine: "jruby"))
      assert_match(/\Apg-1.5.9 .* jruby-9.4.14.0: .*extension in C/,
                   output.summary)
      assert_includes output.remedy, "platforms: :jruby"
    end

    test "a Rails for which JRuby has no adapter is the reason" do
      log = "Could not find compatible versions\n\n" \
            "Because activerecord-jdbcsqlite3-adapter >= 50.1, < 50.2 depends on\n" \
            "activerecord-jdbc-adapter = 50.1\n  and more,\n" \
            "So, because Gemfile depends on\nactiverecord-jdbcsqlite3-adapter >= 50,\n" \
            "  version solving has failed.\n"
      found = App::Bundle::Failure.explain(log, ruby("10.0", engine: "jruby"))

      assert_said(found.summary)
      assert_includes found.remedy, "72.1 for 7.2"
      assert_equal "gems_not_resolved", reason(log, "3.4.5").code
    end

    test "only gems that JRuby can't load fail for good; packages may be installed later" do
      jruby = ruby("9.4.14.0", engine: "jruby")
      full = broken_build("cc: No space left on device")
      logs = [[broken_build("no more"), jruby], [broken_build("no more"), ruby], [full, jruby],
              ["Could not reach host x. ", jruby]]

      assert_equal [true, false, false, false],
                   (logs.map { |log, of| App::Bundle::Failure.for_good?(log, of) })
    end

    test "the tail leaves out backtraces of JRuby" do
      log = "try_do at /opt/jruby/lib/ruby/stdlib/mkmf.rb:456\n" \
            "      org/jruby/RubyKernel.java:1725:in `loop'\n" \
            "      /opt/jruby/lib/ruby/stdlib/bundler/worker.rb:54:in `process_queue'\n" \
            "looked at /usr/include: none\n"
      assert_equal "looked at /usr/include: none\n", App::Bundle::Failure.tail(log)
    end

    test "the tail leaves out backtraces" do
      log = "cc: error\n/usr/lib/ruby/rubygems/ext/builder.rb:119:in\n`run'\n" \
            "/usr/lib/ruby/builder.rb:51:in `block in make'\nAn error occurred\n"
      assert_equal "cc: error\nAn error occurred\n", App::Bundle::Failure.tail(log)
    end

    test "the tail is the last thirty lines" do
      assert_equal 30, App::Bundle::Failure.tail("x\n" * 100).lines.size
    end

    test "locked gems that need another Ruby are named with what they need, three at most" do
      gems = [["a", "1", ">= 9"], ["b", "2", "~> 9.1"], ["c", "3", "> 9"], ["d", "4", "> 9"]]

      assert_said(App::Bundle::Failure.unfit(gems, ruby).to_s)
    end
  end
end
