# frozen_string_literal: true

require "test_helper"

# What is typed wrongly: of every command, with nothing on stdout, one line on stderr and the
# exit status of a mistake. Runs come from a real store.
class CLIMistakesTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-mistakes"

  # Who types what is proposed gets no further mistake for it.
  test "all parts of a variant that are typed as options go into variants at once" do
    context = Mohs::CLI::Context.new(dir: "/", servers: Mohs::Servers)
    parts = { "--ruby" => "3.4.5", "--server" => "falcon", "--workers" => "2", "--threads" => "5" }
    pairs = parts.keys.permutation(2).to_a
    [nil, "compare"].product(pairs, [[], %w[--get /x]]).each do |name, options, more|
      argv = [*options.flat_map { |option| [option, parts.fetch(option)] }, *more]
      hint = Mohs::CLI::CommandGuess.new(argv, context).option(options.first, name)
      line = hint[/: (mohs .*)/, 1]

      assert_empty parts.keys.select { |option| line.include?(option) }, line
      assert_equal more.any?, line.end_with?("--get /x")
    end
  end

  test "a Ruby of any engine is taken for a variant, whether it is installed or not" do
    context = Mohs::CLI::Context.new(dir: "/", servers: Mohs::Servers)
    Mohs::Rubies::Engines.offered.each do |engine|
      name = Mohs::Rubies::Naming.of(engine.ruby_engine, "77.1")
      line = Mohs::CLI::CommandGuess.new([name, "--get", "/x"], context)
      assert_equal "mohs --variant #{name} --get /x", line.command
    end
  end

  test "what is compared is the branch of the person's application that is there" do
    theirs = Struct.new(:dir) { def meant(name) = name.sub("main", File.basename(dir)) }
    messages = [%w[main HEAD], %w[main HEAD --app /a/trunk], %w[main]].map do |argv|
      mohs("compare", *argv, dir: "/a/master", repository: theirs.method(:new)).err
    end

    assert_said(messages[0])
    assert_said(messages[1])
    assert_includes messages[2], "e.g. mohs compare @master @HEAD ("
  end

  # Command lines, each of which is a mistake.
  MISTAKES = [
    %w[Run], %w[ruby], %w[server], %w[halp], [""], %w[http://127.0.0.1:3000/x], %w[localhost:3000],
    %w[127.0.0.1:3000/a -c 4], %w[unix:/a.sock:/], %w[puma:2x5], ["3.4.5 --yjit"], %w[3.4.5 3.1.2],
    %w[3.4.5 --yjit], ["puma, A=$HOME"], ["puma", "-H", "Cookie: a=x"], %w[list --log x],
    %w[list --get /], %w[puma2x5], %w[jruby --get /x], %w[/products], %w[.], %w[config.ru],
    %w[study.yml], %w[--yjit], %w[--yjit --get /x], %w[run --get /x --yjit], %w[--rounds 3 --yjit],
    %w[yjit], %w[yjit --get /x], %w[3000], %w[:3000/a -c 4], %w[main HEAD],
    %w[compare --expect main --own-jit main HEAD], %w[--variant 3.4.5 --yjit],
    %w[compare 3.4.5 --yjit], %w[compare 3.1.2 3.4.5 --yjit], %w[compare --yjit], %w[--ruby 3.4.5],
    %w[run --workers=2], %w[--get / --threads 5], %w[--server falcon:2], %w[--workers],
    %w[compare 3.4.5 3.1.2 --variant x], %w[compare 3.4.5 --ruby 3.1.2], %w[rubies --yjit],
    %w[load a --workers 2], %w[compare yjit], %w[compare HEAD], %w[compare v], %w[compare main],
    %w[compare A=1], ["compare", "3.4.5 --yjit"], %w[compare puma2x5], %w[compare main HEAD],
    ["compare", "main", "HEAD", "-H", "Authorization: Bearer x"],
    %w[compare HEAD~3 3.4.5 --get /x], %w[compare 3.4.5], %w[compare puma:1x5],
    %w[compare 3.4.5 yjit], %w[compare yjit rjit], ["compare", "yjit", "3.4.5, puma:2"],
    %w[compare puma:2x5 yjit], %w[compare 1*5 2*5], ["compare", "puma 2 workers", "puma:1x5"],
    %w[compare jruby-10 no-yjit], ["compare", "jruby-10 own-jit"],
    ["compare", "jruby-10 -J-Xmx1g own-jit"], ["compare", "jruby-10 own-jit", "no-yjit"],
    ["compare", "3.4.5 own-jit", "no-yjit"], %w[compare /r/bin/jruby],
    ["compare", "3.4.5 without YJIT"], ["compare", "3.4.5 --disable-yjit"],
    ["compare", "jruby-10 without YJIT"], %w[compare truffleruby], %w[yours],
    %w[compare yjit no-yjit], %w[compare yours no-jit], %w[--no-yjit --get /a],
    %w[compare 3.4.5 --no-yjit], %w[compare --no-yjit 3.4.5], %w[compare 3.4.5 no-yjit],
    %w[compare 3.4.5 --get /a --no-yjit], %w[compare 3.4.5 3.3.8 --no-yjit], %w[compare --no-yjit],
    %w[compare puma:2x5 --no-yjit], %w[compare jruby-10 --no-jit], %w[compare yours --no-zjit],
    %w[compare 3.4.5 --disable-yjit], %w[--disable-yjit],
    ["compare", "3.4.5 --yjit, puma:2", "no yjit"],
    ["compare", "3.1.2 no yjit", "3.1.2 yjit"], ["compare", "1 worker", "2 workers"],
    ["compare", "3.1.2", "3.1.2 with yjit"], ["compare", "puma workers=2", "puma:1x5"],
    %w[--in-place], %w[run --hosts 2 --same-host a],
    %w[--listen 10.0.0.2], %w[--load-from -oX], %w[--variant threads=5], ["2 workers"], %w[-c 8],
    %w[compare 3.1.2 3.4.5 -c 8], %w[compare 3.1.2 3.4.5 -d 8s],
    %w[load 127.0.0.1:1 --concurrency 8], %w[load 127.0.0.1:1 --budget 8s], %w[load 3000],
    %w[load :3000/a], ["--variant", "puma -w 2"], %w[help variant], %w[variants],
    %w[run a.yml b.yml], %w[--budget], %w[--variant], %w[--app], %w[run --round 3],
    %w[run --varaint 3.4], %w[--rounds -1], %w[--rounds 1.5], %w[--rounds 0x10],
    %w[--connections 0], %w[--connections many], %w[--hold concurrency], %w[--hold cores=2],
    %w[--cores half], %w[--seed -1], %w[--budget 0], %w[--budget 3d], ["--variant", ""],
    %w[--variant pumaa:1], ["--variant", "3.4.5 3.3.8"], %w[--variant Gemfile.next.lock],
    %w[--env =x=], %w[--get http://x/a?b=1], %w[--get http://x], %w[--get localhost:3000/x],
    %w[--get products], ["--get", "/a b"], %w[--get / --body .], %w[--get / --weight 0],
    ["--get", "/", "-H", "Bad Name: 1"], ["-H", "Content-Length: 3"], ["--get", "/\xFF"],
    %w[--app /no/such/folder], %w[--quiet=yes], %w[-z], %w[load], %w[load a b],
    %w[load ftp://127.0.0.1/], %w[load 127.0.0.1:1 -n 0], %w[load 127.0.0.1:1 -t x],
    %w[load 127.0.0.1:1 -d never], %w[load 127.0.0.1:1 --batches 64],
    %w[load 127.0.0.1:1 --batches 0x5], %w[load 127.0.0.1:1 --batches 2x5 -n 9],
    %w[load 127.0.0.1:1 -d 1s --batches 2x5], %w[load 127.0.0.1:1 --batches 2x5 --driver wrk],
    %w[load 127.0.0.1:1 --batches 2x5 --rate 5..9],
    %w[load 127.0.0.1:1 --batches 2x5 --scenario s.yml],
    ["load", "127.0.0.1:1", "--batches", "2x5", "--find-rate", "p50 < 1ms"],
    %w[load 127.0.0.1:1 --seed 1.5], %w[load me:pw@127.0.0.1:1], %w[load 127.0.0.1:99999999],
    %w[load no-such-host.invalid], %w[load 127.0.0.1:1 --durations 3s], %w[rubies --list],
    %w[list all], %w[docs a b], %w[help a b], %w[help --jso], %w[show a b],
    %w[show a --log], %w[resume a b], %w[show zz], %w[show %], ["show", ""], %w[show a1],
    %w[show a1b2 --log 3.1.3], %w[show a1b2 --log zzzzzzzz],
    %w[compare yours jemalloc], ["compare", "3.4.5", "3.4.5, pg"], %w[--jemalloc],
    %w[--get / --allocator=tcmalloc], %w[--malloc],
    ["run", "--variant", "3.4.5 --yjit", "--get", "/", "--jemalloc"],
    %w[compare 3.4.5 --jemalloc --get /], %w[load a --jemalloc], %w[--procs 2],
    %w[--get --dry-run], %w[compare jemalloc glibc --get /x], %w[compare --workers 2 --get /x],
    %w[compare 3.4.5 --workers=2], %w[compare puma --threads 3],
    %w[--workers 2 --threads 5], %w[compare --threads=5 --workers 2 --get /x],
    %w[compare falcon --workers 4], %w[compare --server falcon:2], %w[compare --server falcon],
    ["compare", "3.4.5, puma", "--threads", "3"], %w[compare 3.4.5 3.1.2 --workers 2],
    %w[compare --ruby 3.4.5 --ruby 3.1.2], %w[--ruby 3.4.5 --ruby 3.1.2 --workers 2],
    %w[compare puma:2x5 --threads 3], ["compare", "3.4.5, puma", "--server", "falcon:2"],
    %w[--server puma:2x5 --threads 3], %w[--workers --get /x], ["--ruby", "3.4.5 --yjit"],
    %w[compare --workers 1 2], %w[--vesion], %w[--path /a], %w[load a --url /a],
    %w[--compare yjit], %w[help wrokers],
  ].freeze

  def with_runs
    with_files("config.ru" => "") do |dir|
      store = Mohs::Store.open("sqlite://#{dir}/mohs.db")
      keys = %w[a1b2 a1c3 0d5c]
      keys.each do |key|
        run = store.create_run(study: fixture_study,
                               plan: fixture_study.procedure.plan(seed: 1), fingerprint: {},
                               provenance: {})
        Sequel.sqlite("#{dir}/mohs.db") { |db| db[:runs].where(id: run[:id]).update(key:) }
      end
      yield store, dir
    ensure
      store&.close
    end
  end

  test "each is told on one line, with nothing on stdout, and is no fault of mohs" do
    with_runs do |store, dir|
      told = MISTAKES.to_h { |argv| [argv.inspect, mistake(*argv, dir:, store: -> { store })] }

      assert_told("mistakes-typed", told)
    end
  end

  # Not in the golden file, which no new member of a family should change.
  test "what is mistaken for a member of a family is told with all of them" do
    with_files("config.ru" => "") do |dir|
      names = Mohs::Servers.offered.map(&:label)
      [%w[servers a], ["compare", "3.1.2 yjit", "3.1.2 x y"]].each do |argv|
        error = mistake(*argv, dir:)
        assert_empty names.reject { |name| error.include?(name) }, error
      end
    end
  end

  def mistake(*argv, **options)
    output = mohs(*argv, **options)

    assert_equal 2, output.status, output.err
    assert_empty output.out
    assert_match(/\Amohs: \S.*\n\z/, output.err)
    refute_includes output.err, "a fault of mohs itself"
    output.err
  end

  test "the beginning of a key is enough where it is the only such run" do
    with_runs do |store, _|
      assert_includes mohs("show", "a1b", store: -> { store }).out, "run       a1b2"
      assert_includes mohs("show", "0", store: -> { store }).out, "run       0d5c"
    end
  end

  # Every option of every command is in its help, with words beside it.
  (Mohs::CLI::COMMANDS + ["version"]).each do |name|
    test "the help of #{name} has a line for each option, and no line too long" do
      text = mohs("help", name).out

      assert_includes text, "Usage: mohs"
      %w[--json --debug --help].each { |option| assert_includes text, option }
      assert_operator text.lines.map { |line| line.chomp.length }.max, :<=, 100
    end
  end

  test "a family may grow: the help of load and run lists its members within 100 columns" do
    more = %w[rewrk bombardier autocannon drill]
    Mohs::Drivers.stub(:names, Mohs::Drivers.names + more) do
      Mohs::App::Traffic::Formats.stub(:names, Mohs::App::Traffic::Formats.names + more) do
        %w[load run].each do |command|
          text = mohs("help", command).out

          more.each { |name| assert_includes text, name }
          assert_operator text.lines.map { |line| line.chomp.length }.max, :<=, 100
        end
      end
    end
  end
end
