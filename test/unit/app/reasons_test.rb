# frozen_string_literal: true

require "test_helper"

module Mohs
  # What programs that really failed have printed => the reason that mohs gives. Machine names and
  # paths in the logs were replaced, and backtraces through gems shortened.
  class ReasonsTest < TestCase
    include RubyFacts

    LOGS = File.expand_path("../../fixtures/troubles", __dir__)

    # Bundler and compilers => code and summary.
    BUNDLES = {
      "bundler_too_new" =>
        ["gems_not_resolved",
         "Because rails >= 4.0.0.beta1, < 5.0.5.rc1 depends on bundler >= 1.3.0, < 2.0 and " \
         "the current Bundler version (2.6.9) does not satisfy bundler >= 1.3.0, < 2.0, " \
         "rails >= 4.0.0.beta1, < 5.0.5.rc1 cannot be used. So, because Gemfile depends on " \
         "rails = 4.2.11, version solving has failed."],
      "checksum_wrong" =>
        ["checksum_wrong",
         "rack 3.1.0 is not the file whose checksum the Gemfile.lock has"],
      "compiler_error" =>
        ["gem_not_built",
         "json-1.8.3 does not build on 2.7.4: generator.c:861:25: error: ‘rb_cFixnum’ " \
         "undeclared (first use in this function); did you mean ‘mFixnum’?"],
      "conflict" =>
        ["gems_not_resolved",
         "Because rails >= 7.1.5, < 7.1.5.1 depends on actionpack = 7.1.5 and actionpack >= " \
         "7.1.0.beta1, < 7.2.0.rc1 depends on rack >= 2.2.4, rails >= 7.1.5, < 7.1.5.1 " \
         "requires rack >= 2.2.4. So, because Gemfile depends on rails = 7.1.5 and Gemfile " \
         "depends on rack = 1.6.13, version solving has failed."],
      "conflict_by_a_chain" =>
        ["gems_not_resolved",
         "rails >= 8.1.1, < 8.1.2 requires nokogiri >= 1.14. So, because Gemfile " \
         "depends on nokogiri = 1.10.0 and Gemfile depends on rails = 8.1.1, version solving " \
         "has failed."],
      "conflict_in_bundler_2.3" =>
        ["gems_not_resolved",
         "No version of rack fits all of these: rack (= 1.6.13), rack (>= 2.2.4) for rails " \
         "(= 7.1.5)"],
      "conflict_in_bundler_4" =>
        ["gems_not_resolved",
         "rails >= 8.1.1, < 8.1.2 requires nokogiri >= 1.14. So, because Gemfile " \
         "depends on nokogiri = 1.10.0 and Gemfile depends on rails = 8.1.1, version solving " \
         "has failed."],
      "credentials_missing" =>
        ["credentials_missing",
         "127.0.0.1 needs credentials"],
      "credentials_refused" =>
        ["credentials_refused",
         "127.0.0.1 refuses the credentials"],
      "disk_full" =>
        ["disk_full",
         "the disk is full"],
      "gem_folder_missing" =>
        ["gemfile_path_missing",
         "the Gemfile needs /srv/shop_engine, which does not exist"],
      "gem_unknown" =>
        ["gems_not_resolved",
         "Could not find gem 'nosuchgemhere-mohs' in rubygems repository " \
         "https://gems.example/ or installed locally."],
      "gemfile_constant" =>
        ["gemfile_broken",
         "the Gemfile cannot be read: uninitialized constant Rackk (line 2)"],
      "gemfile_gem_twice" =>
        ["gemfile_broken",
         "the Gemfile cannot be read: You cannot specify the same gem twice with different " \
         "version requirements. (line 3)"],
      "gemfile_misspelt" =>
        ["gemfile_broken",
         "the Gemfile cannot be read: Undefined local variable or method `gme' for Gemfile " \
         "(line 2)"],
      "gemfile_nil" =>
        ["gemfile_broken",
         "the Gemfile cannot be read: undefined method 'strip' for nil (line 2)"],
      "gemfile_part_missing" =>
        ["gemfile_path_missing",
         "the Gemfile needs /srv/app/gemfiles/common.rb, which does not exist"],
      "gemfile_platform" =>
        ["gemfile_broken",
         "the Gemfile cannot be read: `no_such_platform` is not a valid platform. The " \
         "available options are: [:ruby, :ruby_18, :ruby_19, :ruby_20, :ruby_21, :ruby_22, " \
         ":ruby_23, :ruby_24, :ruby_25, :ruby_26, :ruby_27, :ruby_30, :ruby_31, … (line 3)"],
      "gemfile_syntax" =>
        ["gemfile_broken",
         "the Gemfile cannot be read: syntax errors found: unexpected end-of-input; expected " \
         "a `]` to close the array (line 4)"],
      "gemfile_syntax_3.1" =>
        ["gemfile_broken",
         "the Gemfile cannot be read: syntax error, unexpected end-of-input, expecting ']' - " \
         "gem \"puma\", platforms: [:ruby (line 3)"],
      "gemspec_broken" =>
        ["gemspec_broken",
         "shop.gemspec cannot be read: cannot load such file -- /srv/app/lib/shop/version"],
      "gemspec_missing" =>
        ["gemfile_path_missing",
         "the Gemfile needs a gemspec, and /srv/app has none"],
      "header_missing" =>
        ["gem_not_built",
         "curb-1.4.1 does not build on 2.7.4: curl.h not found"],
      "library_missing" =>
        ["gem_not_built",
         "rmagick-7.2.0 does not build on 2.7.4: ImageMagick not found"],
      "lock_unmerged" =>
        ["lock_unmerged",
         "the Gemfile.lock has merge conflicts"],
      "lock_unmerged_in_bundler_4" =>
        ["lock_unmerged",
         "the Gemfile.lock has merge conflicts"],
      "locked_gem_gone" =>
        ["locked_gem_gone",
         "the Gemfile.lock names rack 99.0.0, which its source no longer has"],
      "repository_away" =>
        ["repository_not_fetched",
         "the git repository https://github.example.invalid/shop/engine.git can't be " \
         "fetched: Could not resolve host: github.example.invalid"],
      "repository_missing" =>
        ["repository_not_fetched",
         "the git repository file:///srv/norepo.git can't be fetched: '/srv/norepo.git' does " \
         "not appear to be a git repository"],
      "ruby_too_old" =>
        ["gem_requires_ruby",
         "rails >= 8.0.0.beta1 requires Ruby >= 3.2.0, this is 2.7.4"],
      "ruby_too_old_for_bundler_2.3" =>
        ["gem_requires_ruby",
         "rails (= 8.1.1) requires Ruby >= 3.2.0, this is 2.7.4"],
      "script_broken" =>
        ["bundle_failed",
         "undefined method 'match_platform' for an instance of Bundler::LazySpecification " \
         "(NoMethodError)"],
      "source_away" =>
        ["gems_not_fetched",
         "no gems could be fetched from gems.example.invalid"],
      "token_refused" =>
        ["credentials_refused",
         "http://127.0.0.1:18403/ refuses the credentials"],
      "version_unknown" =>
        ["gems_not_resolved",
         "Could not find gem 'rack (= 99.0.0)' in rubygems repository https://gems.example/ " \
         "or installed locally."],
    }.freeze

    # Servers and programs that ended => why; nil if they don't say.
    ENDS = {
      "workers_not_started" => "undefined method 'gett' for class Shop",
      "worker_exited" => "exit in config.ru:1",
      "preloaded" => "undefined method 'gett' for class Shop (NoMethodError)",
      "aborted" => "no licence: buy one at https://shop.example/licence",
      "arguments" => "wrong number of arguments (given 1, expected 2) (ArgumentError)",
      "bootsnap_cache" =>
        "Not a directory @ rb_sysopen - /srv/app/tmp/cache/bootsnap/load-path-cache " \
        "(Errno::ENOTDIR)",
      "bus_error" =>
        "/srv/app/trunc_ext.so: [BUG] Bus Error at 0x00007f87846ce4c8, ruby 3.4.5 " \
        "(2025-07-16 revision 20cda200d3) +PRISM [x86_64-linux]",
      "constant_missing" => "uninitialized constant ShopSettings (NameError)",
      "constant_misspelt" => "uninitialized constant Sinatra::Bse (NameError)",
      "constant_misspelt_4.0" => "uninitialized constant Shop::Setings (NameError)",
      "constant_not_defined" =>
        "expected file /srv/app/app/models/order.rb to define constant Order, but didn't " \
        "(Zeitwerk::NameError)",
      "crash_2.6" =>
        "-e:1: [BUG] Segmentation fault at 0x00000000000035aa, ruby 2.6.2p47 (2019-03-13) " \
        "[x86_64-linux]",
      "crash_3.1" =>
        "-e:1: [BUG] Segmentation fault at 0x0000000000003585, ruby 3.1.2p20 (2022-04-12 " \
        "revision 4491bb740a) [x86_64-linux-gnu]",
      "crash_3.3_rjit" =>
        "-e:1: [BUG] Segmentation fault at 0x0000000000000010, ruby 3.3.8 (2025-04-09 " \
        "revision b200bad6cd) +RJIT [x86_64-linux]",
      "crash_4.0_yjit" =>
        "-e:1: [BUG] Segmentation fault at 0x00000000000070b0, ruby 4.0.5 (2026-11-27) +YJIT " \
        "+PRISM [x86_64-linux]",
      "crash_in_puma" =>
        "config.ru:1: [BUG] Segmentation fault at 0x0000000000001a52, ruby 3.4.5 (2025-07-16 " \
        "revision 20cda200d3) +PRISM [x86_64-linux]",
      "crash_of_workers" =>
        "config.ru:1: [BUG] Segmentation fault at 0x000000000000668a, ruby 3.4.5 (2025-07-16 " \
        "revision 20cda200d3) +PRISM [x86_64-linux]",
      "crash_of_the_jvm" =>
        "A fatal error has been detected by the Java Runtime Environment: SIGSEGV (0xb) at " \
        "pc=0x00007f8ea7dd1f14 (sent by kill)",
      "database_yml_broken" =>
        "Cannot load database configuration: YAML syntax error occurred while parsing " \
        "/srv/app/config/database.yml. Please note that YAML must be consistently indented " \
        "using spaces. Tabs are not allowed. Erro…",
      "exited" => nil,
      "frozen" => "can't modify frozen String: \"a\" (FrozenError)",
      "java_exception" => "java.lang.IllegalArgumentException: Illegal Capacity: -1",
      "key_misspelt_2.7" => "key not found: :plan (KeyError)",
      "key_misspelt_jruby" => "KeyError: key not found: :plan",
      "memory" => "-e: failed to allocate memory (NoMemoryError)",
      "message_with_address" =>
        "STRIPE_KEY is not set: see https://wiki.example/stripe (RuntimeError)",
      "misspelt_3.1" => "undefined method `nmae' for #<struct name=\"x\"> (NoMethodError)",
      "misspelt_3.4" => "undefined method 'aplication' for module Rails (NoMethodError)",
      "misspelt_4.0" =>
        "undefined method 'nmae' for an instance of #<Class:0x00007f030a1a7778> (NoMethodError)",
      "misspelt_jruby" => "NoMethodError: undefined method `nmae' for #<struct name=\"x\">",
      "misspelt_truffleruby" =>
        "undefined method `nmae' for an instance of #<Class:0xb8> (NoMethodError)",
      "nil" => "undefined method 'strip' for nil (NoMethodError)",
      "stack" => "stack level too deep (SystemStackError)",
      "stopped" => nil,
      "syntax_4.0" =>
        "se.rb:3: syntax error found: unexpected 'end'; expected a `)` to close the arguments",
      "syntax_in_initializer" =>
        "/srv/app/config/initializers/pricing.rb:4: syntax errors found: unexpected " \
        "constant; expected a `,` separator for the array elements",
      "syntax_in_model" =>
        "/srv/app/app/models/order.rb:6: syntax errors found: unexpected end-of-input, " \
        "assuming it is closing the parent top level context",
      "syntax_in_routes" =>
        "/srv/app/config/routes.rb:15: syntax error found: unexpected 'end', ignoring it",
      "syntax_jruby" => "se.rb:3: syntax error, unexpected `end'",
      "syntax_truffleruby" =>
        "se.rb:3: unexpected 'end'; expected a `)` to close the arguments (SyntaxError)",
      "truffleruby_broken" => "boom (java.lang.RuntimeException)",
      "two_proposals" => "undefined method 'gett' for class Shop (NoMethodError)",
    }.freeze

    # Rubies that refused to start => why.
    STARTS = {
      "flag_of_another_engine" => "jruby: unknown option --yjit",
      "flag_unknown" =>
        "/opt/ruby/bin/ruby: invalid option --yjitt  (-h will show valid options) " \
        "(RuntimeError)",
      "heap_size" => "Invalid maximum heap size: -Xmxfoo",
      "jruby_option" => "jruby: invalid extended option foo=1 (-X will list valid options)",
      "libc_too_old" =>
        "/opt/ruby/bin/ruby: /lib/x86_64-linux-gnu/libm.so.6: version `GLIBC_2.95' not found " \
        "(required by /opt/ruby/bin/ruby)",
      "rubyopt" => "cannot load such file -- nosuch (LoadError)",
      "truffleruby_option" =>
        "java.lang.IllegalArgumentException: Could not find option with name engine.Foo.",
      "zjit_option" =>
        "/opt/ruby/bin/ruby: invalid ZJIT option 'foo' (--help will show valid zjit options) " \
        "(RuntimeError)",
    }.freeze

    # All logs, of applications (KnownErrors) too.
    ALL = Dir[File.join(LOGS, "**/*.log")].sort.to_h do |path|
      [path.delete_prefix("#{LOGS}/").delete_suffix(".log"), File.read(path)]
    end

    # Lines that are no reason: without a letter or below code, a backtrace, only an address, or
    # something that is printed below each error.
    NO_REASON = [
      /\A[^[:alpha:]]*\z/, /\A[\s|]*\^/, /\A\s*(?:from|at) \S+:\d+/, /\S:\d+:in [`'][^']*'\z/,
      %r{\A\W*https?://\S+\z}, /\ADid you mean/, /\AFor details/, /You may have encountered a bug/,
      /\A```/, /does not start: does not start/,
    ].freeze

    def bundle(name)
      App::Bundle::Failure.explain(ALL.fetch("bundles/#{name}"), ruby("2.7.4"))
    end

    BUNDLES.each do |name, expected|
      test "a bundle: #{name}" do
        found = bundle(name)

        assert_equal expected, [found.code, found.summary]
      end
    end

    ENDS.each do |name, expected|
      test "an end: #{name}" do
        found = LogExcerpt.reason(ALL.fetch("ends/#{name}"))

        expected ? assert_equal(expected, found) : assert_nil(found)
      end
    end

    STARTS.each do |name, expected|
      test "a start: #{name}" do
        assert_equal expected, LogExcerpt.refusal(ALL.fetch("starts/#{name}"))
      end
    end

    test "every log is expected somewhere" do
      expected = { "bundles" => BUNDLES, "ends" => ENDS, "starts" => STARTS }
      found = expected.to_h do |folder, _|
        [folder, ALL.keys.filter_map { |name| name[%r{\A#{folder}/(.+)}, 1] }]
      end

      assert_equal expected.transform_values { |rows| rows.keys.sort }, found
    end

    ALL.each do |name, log|
      test "no line that is no reason: #{name}" do
        found = [LogExcerpt.reason(log), LogExcerpt.refusal(log),
                 App::Bundle::Failure.explain(log, ruby).summary,
                 Rubies::NoStart.explain(answer(stderr: log, code: 1), timeout_s: 1).summary]

        found.compact.each do |text|
          NO_REASON.each { |pattern| refute_match pattern, text }
        end
      end
    end
  end
end
