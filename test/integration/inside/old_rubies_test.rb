# frozen_string_literal: true

require "test_helper"

module Mohs
  # What mohs runs under a measured Ruby is written for the oldest one that it supports. Each CRuby
  # on this machine tries it.
  class InsideOldRubiesTest < TestCase
    ENVIRONMENT = ENV.to_h.merge("XDG_CACHE_HOME" => File.join(Mohs.root, "tmp", "test-cache"))
    FILES = Dir[File.join(Mohs.root, "lib/mohs/inside/**/*.{rb,ru}")].freeze
    PARSE = "ARGV.each { |file| RubyVM::InstructionSequence.compile(File.read(file), file) }"
    COPY = "gems = MohsInstalledGems.new([ARGV[0]]); found = gems.find(['tiny-1.0']); " \
           "gems.copy(found, ARGV[1], 'x'); puts Gem.ruby_version"

    # Whether or not such a Ruby is on this machine. JRuby and TruffleRuby are never that old.
    test "all that may run inside CRuby is written in the grammar of the oldest one" do
      require "parser/ruby20"
      engine = Rubies::Engines::Cruby
      scripts = Servers.all.to_h do |server|
        [server.label, Probes::Inside.script(engine:, server:, profile: true)]
      end
      { **FILES.to_h { |file| [file, File.read(file)] }, **scripts }.each do |name, text|
        buffer = ::Parser::Source::Buffer.new(name, source: text)
        parser = ::Parser::Ruby20.new
        parser.diagnostics.all_errors_are_fatal = true
        assert parser.parse(buffer), name
      rescue ::Parser::SyntaxError => error
        flunk "#{name}:#{error.diagnostic.location.line}: #{error.message}"
      end
    end

    def each_ruby(&)
      rubies = Rubies.all(env: ENVIRONMENT).select { |ruby| ruby.ok? && ruby.engine == "ruby" }
      refute_empty rubies
      rubies.each(&)
    end

    def run_in(ruby, code, *args, requires: [])
      command = ruby.command(requires:, args: ["-e", code, *args])
      Process::Capture.call(command, timeout_s: 60)
    end

    test "each parses all that may run inside it" do
      with_files do |root|
        scripts = Rubies::Engines.all.product(Servers.all).map do |engine, server|
          text = Probes::Inside.script(engine:, server:, profile: true)
          "#{root}/#{engine.label}-#{server.label}.rb".tap { |file| File.write(file, text) }
        end
        each_ruby do |ruby|
          result = run_in(ruby, PARSE, *FILES, *scripts)
          assert_predicate result, :success?, "#{ruby.name}: #{result.stderr}"
        end
      end
    end

    slow_test "each finds and copies an installed gem" do
      stub = "# -*- encoding: utf-8 -*-\n# stub: tiny 1.0 ruby lib\n\n"
      files = { "home/specifications/tiny-1.0.gemspec" => stub,
                "home/gems/tiny-1.0/lib/tiny.rb" => "TINY = 1\n" }
      with_files(files) do |root|
        gems = File.expand_path("lib/mohs/inside/installed_gems.rb", Mohs.root)
        each_ruby do |ruby|
          target = "#{root}/#{ruby.name}"
          result = run_in(ruby, COPY, "#{root}/home", target, requires: [gems])
          assert_predicate result, :success?, "#{ruby.name}: #{result.stderr}"
          assert_path_exists "#{target}/gems/tiny-1.0/lib/tiny.rb"
        end
      end
    end
  end
end
