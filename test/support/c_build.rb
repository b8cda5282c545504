# frozen_string_literal: true

require "digest"
require "fileutils"
require "open3"

module Mohs
  # Compiles the Ruby-free core with its tests, for `rake c:*` and test/c/core_test.rb, and for
  # Fuzzing. Everything is built with every warning we know and, except for the lint, with the
  # address and undefined-behaviour sanitizers.
  class CBuild
    ROOT = File.expand_path("../..", __dir__)
    TLS = system("pkg-config", "--exists", "openssl") # nil without pkg-config
    LANGUAGE = ["-std=gnu11", "-D_GNU_SOURCE", "-pthread", *("-DMOHS_TLS" if TLS)].freeze
    LIBRARIES = ["-lz", "-lm", *(%w[-lssl -lcrypto] if TLS)].freeze
    WARNINGS = %w[-Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wpedantic -Werror].freeze
    SANITIZERS = %w[-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined
                    -fno-sanitize-recover=all].freeze
    INCLUDES = ["-I#{ROOT}/ext/mohs", "-I#{ROOT}/test/c"].freeze

    FORMATTER = 14

    # What a command printed, and whether it succeeded.
    Outcome = Struct.new(:ok, :output, keyword_init: true)

    #: (?compiler: String, ?folder: String) -> void
    def initialize(compiler: ENV.fetch("CC", "cc"), folder: "tmp/c/#{compiler}")
      @compiler = compiler
      @folder = File.expand_path(folder, ROOT)
      FileUtils.mkdir_p(@folder)
    end

    # Names of the test programs: test/c/NAME_test.c.
    #: () -> Array[String]
    def tests
      Dir["#{ROOT}/test/c/*_test.c"].map { |path| File.basename(path, "_test.c") }.sort
    end

    # Runs one test program.
    #: (String) -> Outcome
    def test(name) = run(program("test/c/#{name}_test.c"))

    # What test/c/parse.c prints for each response: [[bytes, whether it responds to a HEAD
    # request]] to lines.
    #: (Array[[String, bool]]) -> Array[String]
    def parse(answers)
      input = answers.map { |bytes, head| "#{head ? 1 : 0} #{bytes.unpack1('H*')}\n" }.join
      output, status = Open3.capture2e(program("test/c/parse.c"), stdin_data: input)
      raise output unless status.success?

      output.lines.map(&:strip)
    end

    # Compiles a C file and links it with what it needs of the core, which is compiled with
    # `options`; the file is compiled with those of `linked` too. Returns the program's path.
    # Raises with the compiler's output.
    #: (String, ?Array[String], ?linked: Array[String]) -> String
    def program(source, options = SANITIZERS, linked: [])
      path = File.expand_path(source, ROOT)
      headers = Dir["#{ROOT}/test/{c,fuzz}/*.h"].sort
      core = archive(options)
      build(File.basename(path, ".c"), [path, *headers, core]) do |out|
        [*command(options), *linked, path, core, "-o", out, *LIBRARIES]
      end
    end

    # Compiles a C file that needs nothing of the core, for speed; returns the program's path.
    #: (String) -> String
    def alone(source)
      build(File.basename(source, ".c"), [File.join(ROOT, source)]) do |path|
        [*command(["-O2"]), File.join(ROOT, source), "-o", path]
      end
    end

    # For each file of the core, the symbols that its object file defines for others and those it
    # uses: { "lane" => [[symbol], [symbol]] }.
    #: () -> Hash[String, [Array[String], Array[String]]]
    def symbols
      objects(SANITIZERS).to_h do |name, path|
        lines = run("nm", "--extern-only", "--format=posix", path).output.lines.map(&:split)
        used, defined = lines.partition { |_, type| type == "U" }
        [name, [defined, used].map { |all| all.map(&:first) }]
      end
    end

    # Compiles every file of the core on its own with all warnings. Returns the compiler's output,
    # which is empty if nothing is wrong.
    #: () -> String
    def lint
      sources.map { |file| run(*command(["-O2", "-fsyntax-only"]), file).output }.join
    end

    # Compiles the binding with the warnings that it can stand: Ruby's own headers are not our
    # concern.
    #: () -> String
    def lint_binding
      folders = RbConfig::CONFIG.values_at("rubyhdrdir", "rubyarchhdrdir")
      headers = folders.flat_map { |folder| ["-isystem", folder] }
      flags = WARNINGS - %w[-Wpedantic] + %w[-Wno-unused-parameter]
      command = [@compiler, *LANGUAGE, *flags, *headers, *INCLUDES, "-fsyntax-only"]
      Dir["#{ROOT}/ext/mohs/*.c"].map { |file| run(*command, file).output }.join
    end

    # Whether clang-format is installed in the version that formats as expected; versions differ.
    #: () -> bool
    def formats?
      run("clang-format", "--version").output.include?("version #{FORMATTER}.")
    rescue Errno::ENOENT
      false
    end

    # Where C files differ from what .clang-format asks for.
    #: () -> String
    def unformatted
      files = Dir["#{ROOT}/{ext,test,benchmark}/**/*.[ch]"].sort
      run("clang-format", "--dry-run", "-Werror", *files).output
    end

    # Runs a command and waits for it. A command that fails is not an exception.
    #: (*String, ?env: Hash[String, String]) -> Outcome
    def run(*command, env: {})
      output, status = Open3.capture2e(env, *command)
      Outcome.new(ok: status.success?, output:)
    end

    private

    def sources = Dir["#{ROOT}/ext/mohs/core/*.c"].sort

    def command(options) = [@compiler, *LANGUAGE, *WARNINGS, *INCLUDES, *options]

    # The core, compiled once for all programs; each program takes what it uses from the archive.
    def archive(options)
      paths = objects(options).values
      build("core", paths) { |path| ["ar", "rcs", path, *paths] }
    end

    # { "lane" => path of its object file }
    def objects(options)
      headers = Dir["#{ROOT}/ext/mohs/core/*.h"].sort
      sources.to_h do |source|
        name = File.basename(source, ".c")
        path = build("core-#{name}", [source, *headers]) do |out|
          [*command(options), "-c", source, "-o", out]
        end
        [name, path]
      end
    end

    # Named after the content of all inputs, so that several processes can build at once and none
    # runs an outdated file.
    def build(name, inputs)
      path = File.join(@folder, "#{name}-#{digest(inputs)}.o")
      return path if File.exist?(path)

      Dir[File.join(@folder, "#{name}-#{'?' * 16}.o")].each { |old| FileUtils.rm_rf(old) }
      outcome = run(*yield("#{path}.#{::Process.pid}"))
      raise "#{name} does not compile:\n#{outcome.output}" unless outcome.ok

      File.rename("#{path}.#{::Process.pid}", path)
      path
    end

    def digest(files)
      contents = [*Dir["#{__dir__}/{c_build,fuzzing}.rb"], *files].map { |file| File.read(file) }
      Digest::SHA256.hexdigest(contents.join("\0"))[0, 16]
    end
  end
end
