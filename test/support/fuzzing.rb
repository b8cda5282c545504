# frozen_string_literal: true

require_relative "c_build"
require_relative "responses"

module Mohs
  # The result of a fuzz target: executions, the seconds they took, edges of the code that they
  # reached. If it failed, `problem` is the output, `finding` the file with the input, if one is to
  # blame, and `program` what reads it again.
  Fuzzed = Struct.new(:name, :executions, :seconds, :edges, :problem, :finding, :program,
                      keyword_init: true) do
    #: () -> bool
    def clean? = problem.nil?

    # A line for people; for a finding everything there is to know below it.
    #: () -> String
    def to_s
      line = format("%-8<name>s %11<executions>d executions  %7<rate>d/s  %4<edges>d edges",
                    name:, executions:, rate: executions / [seconds, 1].max, edges:)
      [line, problem, (input if finding)].compact.join("\n")
    end

    private

    def input
      "input: #{File.binread(finding).inspect}\nkept:  #{finding}\nagain: #{program} #{finding}"
    end
  end

  # The libFuzzer targets, test/fuzz/NAME_fuzz.c; needs clang. What they find stays in `findings`
  # and is tried first by every later run; what they learn stays in a folder for each target beside
  # it.
  class Fuzzing
    SEEDS = File.join(CBuild::ROOT, "test/fuzz")
    MOST = 512 # bytes of an input: longer ones are slow, and reach no other code
    # No -fsanitize=fuzzer for the core: it would report every comparison, most of them a
    # sanitizer's, at half the speed. words.dict has what comparisons would teach.
    COUNTERS = "-fsanitize-coverage=inline-8bit-counters,pc-table"
    OPTIONS = [*CBuild::SANITIZERS - %w[-O1], "-O2", COUNTERS].freeze
    LINKED = %w[-fsanitize=fuzzer -fno-sanitize-coverage=trace-cmp].freeze
    # The targets only allocate before their first input.
    ENVIRONMENT = {
      "ASAN_OPTIONS" => "detect_leaks=0:quarantine_size_mb=1:malloc_context_size=0",
    }.freeze

    # A child inherits its parent's peak memory, which libFuzzer compares with its limit, so a
    # shell, which needs little, starts the target.
    BY_SHELL = ["sh", "-c", '"$@"; exit $?', "sh"].freeze

    #: () -> Array[String]
    def self.targets = Dir["#{SEEDS}/*_fuzz.c"].map { |path| File.basename(path, "_fuzz.c") }.sort

    # Whether clang is installed.
    #: () -> bool
    def self.possible? = !system("clang", "--version", out: File::NULL).nil?

    #: (?folder: String) -> void
    def initialize(folder: "tmp/fuzz")
      @folder = File.expand_path(folder, CBuild::ROOT)
      @build = CBuild.new(compiler: "clang", folder: "#{@folder}/programs")
    end

    #: () -> String
    def findings = room("findings")

    # Runs a target for so many seconds or executions; 0 executions: only its seeds. `source`: the
    # target's file.
    #: (String, ?seconds: Integer?, ?runs: Integer?, ?source: String) -> Fuzzed
    def call(name, seconds: nil, runs: nil, source: "#{SEEDS}/#{name}_fuzz.c")
      program = @build.program(source, OPTIONS, linked: LINKED)
      limits = ["-runs=#{runs || -1}", *("-max_total_time=#{seconds}" if seconds)]
      outcome = @build.run(*BY_SHELL, program, *options(name), *limits, *corpus(name),
                           env: ENVIRONMENT)
      fuzzed(name, program, outcome)
    end

    private

    def options(name)
      %W[-max_len=#{MOST} -timeout=10 -rss_limit_mb=1024 -detect_leaks=0 -print_final_stats=1
         -dict=#{SEEDS}/words.dict -artifact_prefix=#{findings}/#{name}-]
    end

    # The corpus that grows comes first: libFuzzer writes there. Other targets' findings do no
    # harm.
    def corpus(name)
      own = "#{SEEDS}/corpus/#{name}"
      [room("corpus-#{name}"), findings, answers(name), (own if Dir.exist?(own))].compact
    end

    def fuzzed(name, program, outcome)
      output = outcome.output.scrub
      problem = output[/^[^\n]*(?:does not hold|runtime error|ERROR: ).*/m] || output
      Fuzzed.new(name:, program:, problem: outcome.ok ? nil : problem,
                 finding: output[/Test unit written to (.*)/, 1],
                 executions: output[/number_of_executed_units: (\d+)/, 1].to_i,
                 seconds: output[/^Done \d+ runs in (\d+) second/, 1].to_i,
                 edges: output.scan(/cov: (\d+)/).flatten.last.to_i)
    end

    # The responses of test/fixtures/responses as a target takes them; nil for a target that reads
    # none.
    def answers(name)
      all = { "http" => method(:whole), "chunked" => method(:chunks),
              "client" => method(:chunk_sizes) }
      inputs = all[name]&.call(Responses.all) or return
      into = room("answers-#{name}")
      inputs.select { |input| input.bytesize <= MOST }.each_with_index do |input, index|
        File.binwrite(File.join(into, index.to_s), input)
      end
      into
    end

    def whole(responses)
      responses.flat_map { |one| [(one.head ? "H" : "G") + one.bytes, "L#{one.bytes}"] }
    end

    # The bodies of chunked responses, from behind the head.
    def chunks(responses)
      responses.filter_map { |one| one.bytes[/\A[^\n]*\n[^\n]*: chunked\r\n\r\n(.*)/mn, 1] }
               .map { |bytes| "0#{bytes}" }
    end

    def chunk_sizes(responses) = responses.flat_map { |one| ["0#{one.bytes}", "1#{one.bytes}"] }

    def room(name) = File.join(@folder, name).tap { |path| FileUtils.mkdir_p(path) }
  end
end
