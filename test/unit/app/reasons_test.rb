# frozen_string_literal: true

require "test_helper"

module Mohs
  # What programs that really failed have printed => the reason that mohs gives. Machine names and
  # paths in the logs were replaced, and backtraces through gems shortened.
  class ReasonsTest < TestCase
    include RubyFacts
    include Screens

    LOGS = File.expand_path("../../fixtures/troubles", __dir__)

    # Bundler and compilers => code. The summaries: reasons-of-bundles.txt.
    BUNDLES = {
      "bundler_too_new" => "gems_not_resolved",
      "checksum_wrong" => "checksum_wrong",
      "compiler_error" => "gem_not_built",
      "conflict" => "gems_not_resolved",
      "conflict_by_a_chain" => "gems_not_resolved",
      "conflict_in_bundler_2.3" => "gems_not_resolved",
      "conflict_in_bundler_4" => "gems_not_resolved",
      "credentials_missing" => "credentials_missing",
      "credentials_refused" => "credentials_refused",
      "disk_full" => "disk_full",
      "gem_folder_missing" => "gemfile_path_missing",
      "gem_unknown" => "gems_not_resolved",
      "gemfile_constant" => "gemfile_broken",
      "gemfile_gem_twice" => "gemfile_broken",
      "gemfile_misspelt" => "gemfile_broken",
      "gemfile_nil" => "gemfile_broken",
      "gemfile_part_missing" => "gemfile_path_missing",
      "gemfile_platform" => "gemfile_broken",
      "gemfile_syntax" => "gemfile_broken",
      "gemfile_syntax_3.1" => "gemfile_broken",
      "gemspec_broken" => "gemspec_broken",
      "gemspec_missing" => "gemfile_path_missing",
      "header_missing" => "gem_not_built",
      "library_missing" => "gem_not_built",
      "lock_unmerged" => "lock_unmerged",
      "lock_unmerged_in_bundler_4" => "lock_unmerged",
      "locked_gem_gone" => "locked_gem_gone",
      "repository_away" => "repository_not_fetched",
      "repository_missing" => "repository_not_fetched",
      "ruby_too_old" => "gem_requires_ruby",
      "ruby_too_old_for_bundler_2.3" => "gem_requires_ruby",
      "script_broken" => "bundle_failed",
      "source_away" => "gems_not_fetched",
      "token_refused" => "credentials_refused",
      "version_unknown" => "gems_not_resolved",
    }.freeze

    # Servers and programs that ended => why; nil if they don't say.
    ENDS = {
      "workers_not_started" => "undefined method 'gett' for class Shop",
      "worker_exited" => "exit in config.ru:1",
      "preloaded" => "undefined method 'gett' for class Shop (NoMethodError)",
      "aborted" => "no licence: buy one at https://shop.example/licence",
      "arguments" => "wrong number of arguments (given 1, expected 2) (ArgumentError)",
      "banner" =>
        "The lobsters codebase manages API keys using the new (to us) Rails credentials feature. " \
        "Look for \"credentials\" in README.md for setup instructions and a template.",
      "banner_in_a_box" => "The file config/settings.yml is missing. Copy " \
                           "config/settings.yml.example, and edit it.",
      "banner_in_lines" => "SMTP_HOST must be set in production.",
      "banner_in_lines_of_rake" => "SMTP_HOST must be set in production.",
      "banner_of_rake" =>
        "The lobsters codebase manages API keys using the new (to us) Rails credentials feature. " \
        "Look for \"credentials\" in README.md for setup instructions and a template.",
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
        assert_equal expected, bundle(name).code
      end
    end

    test "what is said of each bundle" do
      assert_told "reasons-of-bundles", BUNDLES.to_h { |name, _| [name, bundle(name).summary] }
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
