# frozen_string_literal: true

require "digest"
require "fileutils"
require "open3"

module Mohs
  # Compiles the Ruby-free core with its tests and fuzz targets, for `rake c:*` and
  # test/c/core_test.rb. Everything is built under every warning we know and, but for the lint,
  # under the address and undefined-behaviour sanitizers.
  class CBuild
    ROOT = File.expand_path("../..", __dir__)
    LANGUAGE = %w[-std=gnu11 -D_GNU_SOURCE -pthread].freeze
    WARNINGS = %w[-Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wpedantic -Werror].freeze
    SANITIZERS = %w[-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined
                    -fno-sanitize-recover=all].freeze
    INCLUDES = ["-I#{ROOT}/ext/mohs", "-I#{ROOT}/test/c"].freeze

    # What a command said, and whether it went well.
    Outcome = Struct.new(:ok, :output, keyword_init: true)

    #: (?compiler: String) -> void
    def initialize(compiler: ENV.fetch("CC", "cc"))
      @compiler = compiler
      @folder = File.join(ROOT, "tmp/c/#{compiler}")
      FileUtils.mkdir_p(@folder)
    end

    # Names of the test programs: test/c/NAME_test.c.
    #: () -> Array[String]
    def tests = names("test/c/*_test.c", "_test.c")

    # Names of the fuzz targets: test/fuzz/NAME_fuzz.c.
    #: () -> Array[String]
    def fuzz_targets = names("test/fuzz/*_fuzz.c", "_fuzz.c")

    # Runs one test program.
    #: (String) -> Outcome
    def test(name) = run(program("test/c/#{name}_test.c"))

    # Compiles a C file of ours and links it with the core; the path of the program. Raises with the
    # compiler's words.
    #: (String, ?Array[String]) -> String
    def program(source, options = SANITIZERS)
      objects = core(options - ["-fsanitize=fuzzer"])
      headers = Dir["#{ROOT}/test/c/*.h"].sort
      build(File.basename(source, ".c"), [File.join(ROOT, source), *headers, *objects]) do |path|
        [*command(options), File.join(ROOT, source), *objects, "-o", path, "-lz"]
      end
    end

    # The command that fuzzes a target for so many seconds, beginning with its corpus; needs clang.
    #: (String, Integer) -> Array[String]
    def fuzz_command(name, seconds)
      path = program("test/fuzz/#{name}_fuzz.c", [*SANITIZERS, "-fsanitize=fuzzer"])
      grown = File.join(@folder, "corpus-#{name}")
      FileUtils.mkdir_p(grown)
      [path, "-max_total_time=#{seconds}", "-timeout=10", "-rss_limit_mb=1024",
       "-artifact_prefix=#{@folder}/",
       "-print_final_stats=1", grown, *Dir[File.join(ROOT, "test/fuzz/corpus/#{name}")]]
    end

    # Compiles every file of the core alone under all warnings. What the compiler said, empty when
    # it is content.
    #: () -> String
    def lint
      sources.map { |file| run(*command(["-O2", "-fsyntax-only"]), file).output }.join
    end

    # Compiles the binding under the warnings that it can stand: Ruby's own headers are no business
    # of ours.
    #: () -> String
    def lint_binding
      folders = RbConfig::CONFIG.values_at("rubyhdrdir", "rubyarchhdrdir")
      headers = folders.flat_map { |folder| ["-isystem", folder] }
      flags = WARNINGS - %w[-Wpedantic] + %w[-Wno-unused-parameter]
      command = [@compiler, *LANGUAGE, *flags, *headers, *INCLUDES, "-fsyntax-only"]
      Dir["#{ROOT}/ext/mohs/*.c"].map { |file| run(*command, file).output }.join
    end

    #: (*String) -> Outcome
    def run(*command)
      output, status = Open3.capture2e(*command)
      Outcome.new(ok: status.success?, output:)
    end

    private

    def names(pattern, ending)
      Dir[File.join(ROOT, pattern)].map { |path| File.basename(path, ending) }.sort
    end

    def sources = Dir["#{ROOT}/ext/mohs/core/*.c"].sort

    def command(options) = [@compiler, *LANGUAGE, *WARNINGS, *INCLUDES, *options]

    # The core's objects, compiled once for all programs. Those of a fuzz target count its steps as
    # well.
    def core(options)
      headers = Dir["#{ROOT}/ext/mohs/core/*.h"].sort
      options += ["-fsanitize=fuzzer-no-link"] if @compiler.include?("clang")
      sources.map do |source|
        build("core-#{File.basename(source, '.c')}", [source, *headers]) do |path|
          [*command(options), "-c", source, "-o", path]
        end
      end
    end

    # Named after the content of all that goes in, so that several can build at once and none runs
    # what is old.
    def build(name, inputs)
      path = File.join(@folder, "#{name}-#{digest(inputs)}.o")
      return path if File.exist?(path)

      Dir[File.join(@folder, "#{name}-*")].each { |old| FileUtils.rm_rf(old) }
      outcome = run(*yield("#{path}.#{::Process.pid}"))
      raise "#{name} does not compile:\n#{outcome.output}" unless outcome.ok

      File.rename("#{path}.#{::Process.pid}", path)
      path
    end

    def digest(files)
      contents = [__FILE__, *files].map { |file| File.read(file) }
      Digest::SHA256.hexdigest(contents.join("\0"))[0, 16]
    end
  end
end
