# frozen_string_literal: true

require "digest"
require "fileutils"
require "open3"
require_relative "responses"

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

    # What test/c/parse.c says of each answer: [[bytes, answers a HEAD request?]] to lines.
    #: (Array[[String, bool]]) -> Array[String]
    def parse(answers)
      input = answers.map { |bytes, head| "#{head ? 1 : 0} #{bytes.unpack1('H*')}\n" }.join
      output, status = Open3.capture2e(program("test/c/parse.c"), stdin_data: input)
      raise output unless status.success?

      output.lines.map(&:strip)
    end

    # Compiles a C file of ours and links it with the core; the path of the program. Raises with the
    # compiler's words.
    #: (String, ?Array[String]) -> String
    def program(source, options = SANITIZERS)
      objects = core(options - ["-fsanitize=fuzzer"])
      headers = Dir["#{ROOT}/test/c/*.h"].sort
      build(File.basename(source, ".c"), [File.join(ROOT, source), *headers, *objects]) do |path|
        [*command(options), File.join(ROOT, source), *objects, "-o", path, "-lz", "-lm"]
      end
    end

    # Compiles a C file that needs nothing of the core, for speed; the path of the program.
    #: (String) -> String
    def alone(source)
      build(File.basename(source, ".c"), [File.join(ROOT, source)]) do |path|
        [*command(["-O2"]), File.join(ROOT, source), "-o", path]
      end
    end

    # The command that fuzzes a target for so many seconds, beginning with its corpus; needs clang.
    #: (String, Integer) -> Array[String]
    def fuzz_command(name, seconds)
      path = program("test/fuzz/#{name}_fuzz.c", [*SANITIZERS, "-fsanitize=fuzzer"])
      grown = folder("corpus-#{name}")
      [path, "-max_total_time=#{seconds}", "-timeout=10", "-rss_limit_mb=1024",
       "-artifact_prefix=#{@folder}/",
       "-print_final_stats=1", grown, name == "http" ? answers : "#{ROOT}/test/fuzz/corpus/#{name}"]
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

    # The answers of test/fixtures/responses as http_fuzz.c takes them, those in chunks also from
    # there on. The few that are large would make each step slow.
    def answers
      all = Responses.all.map { |response| [response.head ? "H" : "G", response.bytes] }
      chunked = /\A[^\n]*\n[^\n]*: chunked\r\n\r\n/n
      all += all.filter_map { |_, bytes| ["C", bytes.sub(chunked, "")] if bytes.match?(chunked) }
      all += all.map { |_, bytes| ["L", bytes] }
      into = folder("corpus-answers")
      all.select { |_, bytes| bytes.bytesize < 1024 }.each_with_index do |(where, bytes), index|
        File.binwrite(File.join(into, index.to_s), where + bytes)
      end
      into
    end

    def folder(name)
      File.join(@folder, name).tap { |path| FileUtils.mkdir_p(path) }
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
