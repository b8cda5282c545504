# frozen_string_literal: true

require "test_helper"

module Mohs
  # The Rubies that this machine really has. Their identities are kept between runs in the
  # checkout's own cache.
  class RubiesOnThisMachineTest < TestCase
    ENVIRONMENT = ENV.to_h.merge("XDG_CACHE_HOME" => File.join(Mohs.root, "tmp", "test-cache"))

    def self.rubies = @rubies ||= Rubies.all(env: ENVIRONMENT)

    def rubies = self.class.rubies

    def output(ruby, **options)
      result = Process::Capture.call(ruby.command(**options), timeout_s: 120)
      assert_predicate result, :success?, "#{ruby.name}: #{result.stderr}"
      result.stdout.strip
    end

    test "the Ruby that runs this test is found once" do
      same = rubies.select { |ruby| File.realpath(ruby.path) == File.realpath(Gem.ruby) }
      assert_equal [[RUBY_VERSION, RUBY_DESCRIPTION]],
                   same.map { |ruby| [ruby.language, ruby.description] }
    end

    test "each has a name of its own by which it is found again" do
      assert_equal rubies.map(&:name), rubies.map(&:name).uniq
      rubies.each { |ruby| assert_equal ruby, Rubies.find(ruby.name, env: ENVIRONMENT) }
    end

    test "each is complete, or broken with a reason" do
      rubies.each do |ruby|
        if ruby.ok?
          refute_includes ruby.to_h.except(:reason, :note).values, nil, ruby.name
          assert_match(/\A\h{64}\z/, ruby.digest)
        else
          refute_empty ruby.reason.summary
        end
      end
    end

    test "each says which OpenSSL it has, if one that extensions in C could meet" do
      rubies.select(&:ok?).each do |ruby|
        known = ruby.engine == "ruby" ? %r{\A(?:static|/.*/libcrypto\.[\w.]+)?\z} : /\A\z/
        assert_match known, ruby.libcrypto, ruby.name
      end
    end

    test "each starts a script with what it requires and says what it said" do
      main = "puts RUBY_DESCRIPTION, ARGV.inspect, ENV['FOO'], FIRST, Dir.pwd\n"
      with_files("first.rb" => "FIRST = 1\n", "main.rb" => main) do |root|
        able = rubies.select(&:ok?)
        able.select! { |ruby| ruby.engine == "ruby" } if times(true, false) # others take seconds
        able.each do |ruby|
          shown = output(ruby, script: "#{root}/main.rb", args: %w[a b], env: { "FOO" => "bar" },
                              requires: ["#{root}/first.rb"], chdir: root)
          assert_equal [ruby.description, '["a", "b"]', "bar", "1", File.realpath(root)],
                       shown.lines.map(&:chomp)
        end
      end
    end

    test "what a flag promises about the JIT is so inside" do
      script = "puts %w[YJIT MJIT RJIT ZJIT].find { |jit| " \
               "RubyVM.const_defined?(jit) && RubyVM.const_get(jit).enabled? }"
      rubies.select { |ruby| ruby.ok? && ruby.engine == "ruby" }.each do |ruby|
        ruby.flags.each do |flag|
          shown = output(ruby, flags: [flag], args: ["-e", script])
          assert_equal [ruby.name, flag, ruby.expects_jit([flag])],
                       [ruby.name, flag, shown.downcase]
        end
      end
    end

    test "one that is named by its path is the same" do
      path = Gem.ruby
      assert_equal RUBY_DESCRIPTION, Rubies.find(path, env: ENVIRONMENT).description
    end
  end
end
