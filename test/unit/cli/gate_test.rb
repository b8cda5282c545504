# frozen_string_literal: true

require "test_helper"
require "yaml"

class CLIGateTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-gate"

  SAME = [0.001, -0.002, 0.001, 0.0, -0.001].freeze
  SLOWER = [-0.05, -0.052, -0.048, -0.051, -0.049, -0.05, -0.051, -0.05].freeze
  NOISY = [0.03, -0.05, 0.02, -0.04, 0.05, -0.03].freeze
  DEFAULTS = ["cpu < +2%", "memory < +5%"].freeze

  # What mohs knows of a repository without asking git.
  REPOSITORY = Class.new do
    # files: absolute paths of those that are not committed.
    def initialize(files = -> { [] })
      @files = files
    end

    def changes(besides:) = (@files.call - besides).size

    def commit(name) = { "HEAD" => "h" * 40, "main" => "m" * 40, "v1" => "v" * 40 }.fetch(name)

    def commit?(name) = %w[HEAD main v1].include?(name)

    def merge_base(*) = "b" * 40

    def default_branch = nil

    def place = ["shop", ""]
  end

  # A experiment in which pages differ as they were told to.
  class MadeUp
    attr_reader :declarations

    def initialize(differences, refused: nil)
      @gated = Gated.new({}, differences)
      @declarations = []
      @refused = refused
    end

    def prepare(declaration)
      @declarations << declaration
      variant = Struct.new(:refusal, :refusal_text).new(@refused, "head: #{@refused}")
      Struct.new(:variants, :app, :shared_connections).new([variant], "/srv/shop", 4)
    end

    def plan(_study) = nil

    def measure(_study, _plan, invocation:, **)
      @invocation = invocation
      declaration = @declarations.last
      page = Mohs::Gate::Page.new(request: declaration[:requests].first)
      @gated.call(page, declaration[:comparison], declaration[:budget_s])
    end
  end

  def gate(*argv, differences: Hash.new(SAME), files: {}, env: {}, refused: nil, changes: [])
    with_files({ "config.ru" => "", **files }) do |folder|
      @experiment = MadeUp.new(differences, refused:)
      output = mohs("gate", *argv, dir: folder, env:, experiment: -> { @experiment },
                                   repository: ->(_) { REPOSITORY.new(-> { changes }) })
      @declared = @experiment.declarations
      yield folder, output if block_given?
      return output
    end
  end

  # The gates of each page, as one would type them.
  def limits = @declared.map { |one| one[:comparison][:gates].map(&:to_s) }

  test "its status says what came of it: 0 holds, 10 fails, 11 is inconclusive" do
    found = [SAME, SLOWER, NOISY].map do |differences|
      gate("--get", "/a", "--budget", "31s", differences: { "/a" => differences }).status
    end

    assert_equal [0, 10, 11], found
    both = gate("--get", "/a", "--get", "/b", differences: { "/a" => NOISY, "/b" => SLOWER })
    assert_equal 10, both.status
  end

  test "a reader that has left changes neither its status nor its files" do
    with_files("config.ru" => "") do |folder|
      left = Class.new(StringIO) { %i[write flush].each { |name| define_method(name) { |*| raise Errno::EPIPE } } }
      experiment = MadeUp.new({ "/a" => SLOWER })
      output = mohs("gate", "--get", "/a", "--report", "r.xml", "--comment", "c.md",
                    dir: folder, out: left.new, experiment: -> { experiment },
                    repository: ->(_) { REPOSITORY.new })

      assert_equal 10, output.status
      assert_equal %w[c.md config.ru r.xml], Dir.children(folder).sort
    end
  end

  test "this folder is compared with where it left the default branch" do
    output = gate("--get", "/a", changes: ["/srv/shop/new.rb"])

    assert_equal 0, output.status, output.err
    base, head = @declared.first[:variants].map(&:last)
    assert_equal ["base", "@#{'b' * 40}", "head", nil],
                 [base.label, base.revision, head.label, head.revision]
    assert_match(/folder .*, against main bbbbbbb \(/, output.out)
  end

  test "without changes of its own both are checked out alike" do
    output = gate("--get", "/a")

    assert_equal ["@#{'b' * 40}", "@#{'h' * 40}"],
                 @declared.first[:variants].map { |_, one| one.revision }
    assert_includes output.out, "HEAD, against main bbbbbbb (the merge base; the default branch)"
  end

  test "revisions and what both are measured on can be named" do
    output = gate("--base", "v1", "--head", "@main", "--on", "3.4.5 --yjit, puma:2x5")

    assert_equal 0, output.status, output.err
    base, head = @declared.first[:variants].map(&:last)
    assert_equal ["@#{'v' * 40}", "@#{'m' * 40}"], [base.revision, head.revision]
    assert_equal [["3.4.5", ["--yjit"]]] * 2, [base, head].map { |one| [one.ruby, one.flags] }
    assert_includes output.out, "main, against v1 vvvvvvv (as asked)"
  end

  test "each --get is a page, with its own options and the limits of all" do
    gate("--get", "/a", "--header", "X: 1", "--post", "/b", "--gate", "p50 < +3%", "--seed", "7")

    assert_equal [[["GET /a"], { "X" => "1" }], [["POST /b"], {}]],
                 @declared.map { |one|
                   [one[:requests].map(&:to_s), one[:requests].first.headers]
                 }
    assert_equal [["p50 < +3%"]], limits.uniq
    assert_equal [7, 8], @declared.map { |one| one[:seed] }
  end

  STUDY = <<~YAML
    env: {KEY: file, OTHER: x}
    connections: 2
    budget: 3m
    variants: [3.4.5]
    baseline: 3.4.5
    rounds: 9
    requests: [{get: /mixed}]
    gates:
      - get: /a
        name: first
        limits: [p50 < +3%, memory < +5%]
      - get: /b
  YAML

  test "study.yml has pages, limits and what both revisions are measured with" do
    output = gate("--env", "KEY=line", files: { "study.yml" => STUDY })

    assert_equal 0, output.status, output.err
    assert_equal [["p50 < +3%", "memory < +5%"], DEFAULTS], limits
    given = @declared.first
    assert_equal [{ "KEY" => "line", "OTHER" => "x" }, 2, 90.0],
                 given.values_at(:env, :connections, :budget_s)
    assert_empty given.keys & %i[baseline rounds matrix gates]
    assert_includes output.out, "first"
    assert_includes output.err,
                    "page 1 of 2 · first · p50 < +3%, memory < +5% · at most 1 min 30 s\n"
    assert_match(/^  p50 < \+3% \w+, memory < \+5% holds · /, output.err)
    assert_in_delta 1.0 / 1600, given[:comparison][:question].levels[:fails]
  end

  test "limits of the command line are those of every page, and its pages replace the file's" do
    gate("--gate", "cpu < 1%", files: { "study.yml" => STUDY })
    assert_equal [["cpu < +1%"]], limits.uniq
    gate("--get", "/c", files: { "study.yml" => STUDY })
    assert_equal [["GET /c"]], @declared.map { |one| one[:requests].map(&:to_s) }
    gate(files: { "study.yml" => "requests: [{get: /x}, {get: /y}]" })
    assert_equal [["GET /x"], ["GET /y"]], @declared.map { |one| one[:requests].map(&:to_s) }
    gate
    assert_equal [["GET /"]], @declared.map { |one| one[:requests].map(&:to_s) }
  end

  test "--pushes says how strict it is" do
    gate("--get", "/a", "--pushes", "100")

    assert_in_delta 1.0 / 200, @declared.first[:comparison][:question].levels[:fails]
  end

  test "mistakes are found before anything takes time" do
    lines = [%w[--gate p50], %w[--pushes 0], %w[--get /a --get /a], %w[--on @v1],
             %w[--variant 3.4.5], %w[nowhere.yml], %w[--comment nodir/x.md], %w[--init jenkins],
             %w[--init --env TOKEN=x], %w[--init github --get /${{a}}]]
    assert_mistakes("gate", lines) do |*argv|
      output = gate(*argv) do |folder, _|
        refute_path_exists File.join(folder, ".github/workflows/mohs.yml")
      end
      assert_empty @declared
      output
    end
  end

  test "a mistake in a limit of the file is one of its place" do
    output = gate(files: { "study.yml" => "gates: [{get: /a, limits: [cpu < 2%, memroy < 3%]}]" })

    assert_equal 3, output.status
    assert_includes output.err, "study.yml: gates/1/limits/2: unknown metric \"memroy\""
  end

  test "a revision that can't be measured here stops it, and names the page" do
    output = gate("--get", "/a", refused: "no such Ruby")

    assert_equal 2, output.status
    assert_includes output.err, "GET /a: head: no such Ruby"
  end

  test "--json prints the document" do
    document = gate("--get", "/a", "--json").json

    assert_equal ["gate", "holds", 2], [*document.values_at(:command, :outcome),
                                        document[:gates].size]
  end

  test "--dry-run prints what would be compared, and measures and writes nothing" do
    gate("--dry-run", "--comment", "c.md", "--pushes", "100",
         files: { "study.yml" => STUDY }) do |folder, output|
      assert_said(output.out)
      refute_path_exists File.join(folder, "c.md")
    end
    assert_empty @declared
    document = gate("--dry-run", "--get", "/a", "--json").json
    assert_empty Mohs::JSONContract.new("`gate --dry-run`").faults(document)
  end

  test "at a rate both revisions get it, and what is served decides nothing" do
    asked = [["--on", "rate=60"], []].map do |on|
      gate("--get", "/a", "--gate", "p99 < +5%", *on)
      [@declared.first[:variants].map { |_, one| one.rate }, @declared.first[:comparison][:metric]]
    end

    assert_equal [[[60, 60], "cpu"], [[nil, nil], "throughput"]], asked
  end

  test "files that a gate writes are no changes of the folder, nor those of an earlier one" do
    with_files("config.ru" => "", "c.md" => "of an earlier gate") do |folder|
      repository = REPOSITORY.new(-> { Dir["#{folder}/*"] - ["#{folder}/config.ru"] })
      experiment = MadeUp.new(Hash.new(SAME))
      output = mohs("gate", "--get", "/a", "--report", "gate.xml", "--comment", "c.md",
                    dir: folder, experiment: -> { experiment }, repository: ->(_) { repository })

      assert_equal 0, output.status, output.err
      assert_equal ["@#{'b' * 40}", "@#{'h' * 40}"],
                   experiment.declarations.first[:variants].map { |_, one| one.revision }
      assert_includes output.out, "HEAD, against main bbbbbbb (the merge base; the default branch)"
      assert_equal ["c.md", "config.ru", "gate.xml"], Dir.children(folder).sort
    end
  end

  test "--comment writes the comment, with the name of the application or its own" do
    gate("--get", "/a", "--comment", "c.md", "--name", "shop") do |folder, _|
      assert_equal "<!-- mohs gate shop -->\n", File.readlines(File.join(folder, "c.md")).first
    end
    gate("--get", "/a", "--comment", "c.md") do |folder, _|
      assert_includes File.read(File.join(folder, "c.md")), File.basename(folder)
    end
  end

  test "on GitHub what doesn't hold is annotated, and the summary of the job has the comment" do
    env = { "GITHUB_ACTIONS" => "true" }
    files = { "study.yml" => "gates: [{get: /a}]" }
    with_files("summary.md" => "before\n") do |elsewhere|
      summary = File.join(elsewhere, "summary.md")
      output = gate(differences: { "/a" => SLOWER }, files:,
                    env: { **env, "GITHUB_STEP_SUMMARY" => summary })

      assert_equal 1, output.err.scan(/^::error title=mohs gate%3A GET \/a::CPU a request/).size
      refute_match(/^::/, output.out)
      assert_match(/\Abefore\n<!-- mohs gate /, File.read(summary))
    end
    assert_empty gate("--get", "/a", env:).err.scan(/^::/)
    refute_match(/^::/, gate("--get", "/a", differences: { "/a" => SLOWER }).err)
  end

  test "an annotation names the file of the gates below the folder that was checked out" do
    with_files("config.ru" => "", "ci/study.yml" => "app: ..\ngates: [{get: /a}]") do |folder|
      experiment = MadeUp.new({ "/a" => SLOWER })
      env = { "GITHUB_ACTIONS" => "true", "GITHUB_WORKSPACE" => folder }
      output = mohs("gate", "ci/study.yml", dir: folder, experiment: -> { experiment }, env:,
                                            repository: ->(_) { REPOSITORY.new })

      assert_includes output.err, "::error file=ci/study.yml,title="
    end
  end

  test "a summary that can't be written fails nothing" do
    env = { "GITHUB_ACTIONS" => "true", "GITHUB_STEP_SUMMARY" => "/proc/x" }
    output = gate("--get", "/a", env:)

    assert_equal 0, output.status
    assert_said(output.err)
  end

  test "--init and --dry-run exclude each other" do
    gate("--init", "gitlab", "--dry-run") do |folder, output|
      assert_equal 2, output.status
      assert_match(/leave one/, output.err)
      refute_path_exists File.join(folder, ".gitlab")
    end
  end

  test "--init writes the file once, says what is left, and measures nothing" do
    gate("--init") do |folder, output|
      path = File.join(folder, ".github/workflows/mohs.yml")
      assert_equal [0, ""], [output.status, output.err]
      assert_includes output.out, "written: #{path}"
      assert_includes File.read(path), "mohs gate --comment"
    end
    assert_empty @declared
    document = gate("--init", "--json", files: { ".gitlab-ci.yml" => "" }).json
    assert_empty Mohs::JSONContract.new("`gate --init`").faults(document)
    assert_equal "gitlab", document[:init]
    kept = { ".gitlab/mohs.yml" => "mine" }
    gate("--init", "gitlab", files: kept) do |folder, output|
      assert_equal 2, output.status
      assert_includes output.err, "already exists"
      assert_equal "mine", File.read(File.join(folder, ".gitlab/mohs.yml"))
    end
  end

  test "--init writes what is to be compared into the file" do
    argv = ["--get", "/issues", "--gate", "cpu < +5%", "--init", "github"]
    gate(*argv) do |folder, output|
      written = YAML.safe_load_file(File.join(folder, ".github/workflows/mohs.yml"))
      command = written["jobs"]["gate"]["steps"].find { |step| step["name"] == "Gate" }["run"]

      assert_equal "mohs gate --get /issues --gate 'cpu < +5%' --comment mohs.md || " \
                   "[ $? -eq 11 ]", command
      assert_includes output.out, ": mohs gate --get /issues --gate cpu\\ "
    end
  end

  test "--init keeps how servers are warmed up and what they have in common" do
    argv = ["--warm-up", "20s", "--hold", "memory=512MB", "--own-jit"]
    gate(*argv, "--init", "github") do |folder, output|
      assert_equal "", output.err
      text = File.read(File.join(folder, ".github/workflows/mohs.yml"))
      assert_includes text, "mohs gate --warm-up 20s --hold memory=512MB --own-jit --comment"
    end
  end

  test "a revision in place of a study file is told as one" do
    gate("v1") do |_, output|
      assert_equal 2, output.status
      assert_includes output.err, ": mohs gate --base v1"
    end
  end
end
