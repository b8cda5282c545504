# frozen_string_literal: true

require "test_helper"

# What is typed wrongly: of every command, with nothing on stdout, one line on stderr and the
# exit status of a mistake. Runs come from a real store.
class CLIMistakesTest < Mohs::TestCase
  include Mohs::CLIHelper

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

    assert_includes messages[0], "Did you mean mohs compare @master @HEAD? "
    assert_includes messages[1], "Did you mean mohs compare @trunk @HEAD --app /a/trunk? "
    assert_includes messages[2], "e.g. mohs compare @master @HEAD ("
  end

  # argv => what the line says.
  TABLE = {
    %w[Run] => 'unknown command "Run". Did you mean mohs run?',
    %w[ruby] => "Commands: run,", %w[server] => "Did you mean mohs servers?",
    %w[halp] => "Did you mean mohs help?", [""] => 'unknown command ""',
    %w[http://127.0.0.1:3000/x] => "not a command. Did you mean mohs load http://127.0.0.1:3000/x?",
    %w[localhost:3000] => "Did you mean mohs load localhost:3000?",
    %w[127.0.0.1:3000/a -c 4] => "Did you mean mohs load 127.0.0.1:3000/a -c 4?",
    %w[unix:/a.sock:/] => "Did you mean mohs load unix:/a.sock:/?",
    %w[puma:2x5] => "Did you mean mohs --variant puma:2x5?",
    ["3.4.5 --yjit"] => "Did you mean mohs --variant \"3.4.5 --yjit\"?",
    %w[3.4.5 3.1.2] => "Did you mean mohs compare 3.4.5 3.1.2?",
    %w[3.4.5 --yjit] => "Did you mean mohs --variant \"3.4.5 --yjit\"?",
    ["puma, A=$HOME"] => "Did you mean mohs --variant 'puma, A=$HOME'?",
    ["puma", "-H", "Cookie: a=x"] => "Did you mean mohs --variant puma --header-file FILE # in",
    %w[list --log x] => "unknown option --log: mohs show has it (mohs help list)",
    %w[list --get /] => "--get: mohs run, mohs compare, mohs gate, mohs tune and 3 more have it (",
    %w[puma2x5] => "Did you mean mohs --variant puma:2x5?",
    %w[jruby --get /x] => "Did you mean mohs --variant jruby --get /x?",
    %w[/products] => "Did you mean mohs --get /products?",
    %w[.] => "Did you mean mohs --app .?", %w[config.ru] => "Commands: run,",
    %w[study.yml] => "Did you mean mohs run study.yml?",
    %w[--yjit] => "Did you mean mohs compare ruby \"ruby --yjit\"? (mohs help variants)",
    %w[--yjit --get /x] => "Did you mean mohs compare ruby \"ruby --yjit\" --get /x? (mohs",
    %w[run --get /x --yjit] => "Did you mean mohs compare ruby \"ruby --yjit\" --get /x? (mohs",
    %w[--rounds 3 --yjit] => "Did you mean mohs --rounds 3 --variant \"ruby --yjit\"?",
    %w[yjit] => "Did you mean mohs compare ruby \"ruby --yjit\"?",
    %w[yjit --get /x] => "Did you mean mohs compare ruby \"ruby --yjit\" --get /x?",
    %w[3000] => "Did you mean mohs load http://127.0.0.1:3000/?",
    %w[:3000/a -c 4] => "Did you mean mohs load http://127.0.0.1:3000/a -c 4?",
    %w[main HEAD] => "Did you mean mohs compare @main @HEAD?",
    %w[compare --expect main --own-jit main HEAD] => "Did you mean mohs compare @main @HEAD " \
                                                     "--expect main --own-jit?",
    %w[--variant 3.4.5 --yjit] => "Did you mean mohs --variant \"3.4.5 --yjit\"?",
    %w[compare 3.4.5 --yjit] => "Did you mean mohs compare 3.4.5 \"3.4.5 --yjit\"?",
    %w[compare 3.1.2 3.4.5 --yjit] => "Did you mean mohs compare 3.1.2 \"3.4.5 --yjit\"?",
    %w[compare --yjit] => "Did you mean mohs compare ruby \"ruby --yjit\"?",
    %w[--ruby 3.4.5] => "--ruby is part of a variant: mohs --variant 3.4.5 (mohs help variants)",
    %w[run --workers=2] => "--workers is part of a variant: mohs run --variant puma:2 (mohs help",
    %w[--get / --threads 5] => "--threads is part of a variant: mohs --get / --variant puma:1x5 (",
    %w[--server falcon:2] => "mohs --variant falcon:2 (", %w[--workers] => "--variant puma:2 (",
    %w[compare 3.4.5 3.1.2 --variant x] => "--variant is part of A and B: mohs compare A B (mohs",
    %w[compare 3.4.5 --ruby 3.1.2] => "--ruby is part of A and B: mohs compare A B (mohs",
    %w[rubies --yjit] => "unknown option --yjit.", %w[load a --workers 2] => "unknown option",
    %w[compare yjit] => "compare needs two variants, e.g. mohs compare ruby \"ruby --yjit\" (mohs",
    %w[compare HEAD] => "e.g. mohs compare @HEAD~1 @HEAD (",
    %w[compare v] => "mohs compare v \"v --yjit\" (",
    %w[compare main] => "e.g. mohs compare @main @HEAD (",
    %w[compare A=1] => "e.g. mohs compare ruby A=1 (",
    ["compare", "3.4.5 --yjit"] => "e.g. mohs compare 3.4.5 \"3.4.5 --yjit\" (",
    %w[compare puma2x5] => "e.g. mohs compare puma:1x5 puma:2x5 (",
    %w[compare main HEAD] =>
      '"main" is not a variant. Did you mean mohs compare @main @HEAD? (mohs help variants)',
    ["compare", "main", "HEAD", "-H", "Authorization: Bearer x"] =>
      "Did you mean mohs compare @main @HEAD --header-file FILE?",
    %w[compare HEAD~3 3.4.5 --get /x] => "Did you mean mohs compare @HEAD~3 3.4.5 --get /x? (mohs",
    %w[compare 3.4.5] => "compare needs two variants, e.g. mohs compare 3.4.5 \"3.4.5 --yjit\"",
    %w[compare puma:1x5] => "e.g. mohs compare puma:1x5 puma:2x5",
    %w[compare 3.4.5 yjit] =>
      '"yjit" is not a variant. Did you mean mohs compare 3.4.5 "3.4.5 --yjit"?',
    %w[compare yjit rjit] => 'Did you mean mohs compare "ruby --yjit" "ruby --rjit"?',
    ["compare", "yjit", "3.4.5, puma:2"] => 'compare "3.4.5 --yjit, puma:2" "3.4.5, puma:2"?',
    %w[compare puma:2x5 yjit] => 'mohs compare puma:2x5 "ruby --yjit, puma:2x5"?',
    %w[compare 1x5 2x5] => '"1x5" is not a variant. Did you mean mohs compare puma:1x5 puma:2x5?',
    ["compare", "puma 2 workers", "puma:1x5"] => "Did you mean mohs compare puma:2 puma:1x5? (",
    %w[compare jruby-10 no-yjit] => 'Did you mean mohs compare jruby-10 "jruby-10 -X-C"? (mohs',
    ["compare", "jruby-10 own-jit"] => 'e.g. mohs compare "jruby-10 own-jit" "jruby-10 -X-C" (',
    ["compare", "jruby-10 -J-Xmx1g own-jit"] =>
      'mohs compare "jruby-10 -J-Xmx1g own-jit" "jruby-10 -J-Xmx1g -X-C" (mohs help',
    ["compare", "jruby-10 own-jit", "no-yjit"] => 'compare "jruby-10 own-jit" "jruby-10 -X-C"? (',
    ["compare", "3.4.5 own-jit", "no-yjit"] => 'compare "3.4.5 own-jit" "3.4.5 without YJIT"? (',
    %w[compare /r/bin/jruby] => 'e.g. mohs compare /r/bin/jruby "/r/bin/jruby -X-C" (mohs help',
    ["compare", "3.4.5 without YJIT"] => 'e.g. mohs compare 3.4.5 "3.4.5 --yjit" (mohs help',
    ["compare", "3.4.5 --disable-yjit"] => 'e.g. mohs compare 3.4.5 "3.4.5 --yjit" (mohs help',
    ["compare", "jruby-10 without YJIT"] => 'e.g. mohs compare jruby-10 "jruby-10 -X-C" (mohs',
    %w[compare truffleruby] =>
      'e.g. mohs compare truffleruby "truffleruby --engine.Compilation=false" (mohs help',
    %w[yours] => "Did you mean mohs --variant yours?",
    %w[compare yjit no-yjit] =>
      'Did you mean mohs compare "ruby --yjit" "ruby without YJIT"? (mohs help',
    %w[compare yours no-jit] => 'Did you mean mohs compare yours "ruby without JIT"? (mohs help',
    ["--no-yjit", "--get", "/a"] => 'mohs --get /a --variant "ruby without YJIT" (mohs help',
    %w[compare 3.4.5 --no-yjit] => 'mohs compare yours "ruby without YJIT" (mohs help variants)',
    ["compare", "3.4.5 --yjit, puma:2", "no yjit"] =>
      'mohs compare "3.4.5 --yjit, puma:2" "3.4.5 without YJIT, puma:2"? (mohs help variants)',
    ["compare", "3.1.2 no yjit", "3.1.2 yjit"] =>
      'mohs compare "3.1.2 no yjit" "3.1.2 --yjit"? (mohs help',
    ["compare", "1 worker", "2 workers"] => "Did you mean mohs compare puma:1 puma:2? (mohs",
    ["compare", "3.1.2", "3.1.2 with yjit"] => 'mohs compare 3.1.2 "3.1.2 --yjit"? (mohs help',
    ["compare", "puma workers=2", "puma:1x5"] => "Did you mean mohs compare puma:2 puma:1x5? (",
    ["compare", "3.1.2 yjit", "3.1.2 x y"] => "\"x\" is not part of a variant beside 3.1.2.",
    %w[compare yours jemalloc] =>
      '"jemalloc" is not a variant. Did you mean mohs compare yours LD_PRELOAD=jemalloc? (mohs',
    ["compare", "3.4.5", "3.4.5, pg"] => 'Did you mean mohs compare 3.4.5 "3.4.5, postgresql"?',
    %w[--jemalloc] =>
      "--jemalloc is part of a variant: mohs compare ruby LD_PRELOAD=jemalloc (mohs help variants)",
    %w[--get / --allocator=tcmalloc] =>
      "--allocator is part of a variant: mohs compare ruby LD_PRELOAD=tcmalloc --get / (mohs",
    %w[--malloc] => "mohs compare ruby LD_PRELOAD=jemalloc (",
    ["run", "--variant", "3.4.5 --yjit", "--get", "/", "--jemalloc"] =>
      'mohs run --variant "3.4.5 --yjit" --get / --variant "3.4.5 --yjit, LD_PRELOAD=jemalloc" (',
    %w[compare 3.4.5 --jemalloc --get /] =>
      'mohs compare 3.4.5 "3.4.5, LD_PRELOAD=jemalloc" --get / (mohs help variants)',
    %w[load a --jemalloc] => "unknown option --jemalloc.",
    %w[--procs 2] => "--procs is part of a variant: mohs --variant puma:2 (mohs help variants)",
    %w[--get --dry-run] => "--get needs a path, such as /products, not --dry-run",
    %w[--in-place] => "--in-place is for a fleet: add --fleet, --hosts N or --same-host NAME.",
    %w[run --hosts 2 --same-host a] => "--hosts and --same-host exclude each other.",
    %w[--listen 10.0.0.2] => "--listen is for --load-from HOST.",
    %w[--load-from -oX] => 'invalid host "-oX": use HOST or USER@HOST.',
    ["--variant", "threads=5"] => 'Did you mean "puma:1x5"? (mohs help variants)',
    ["2 workers"] => "Did you mean mohs --variant puma:2?",
    %w[-c 8] => "unknown option -c. Did you mean --connections? (mohs help)",
    %w[compare 3.1.2 3.4.5 -c 8] => "Did you mean --connections? (mohs help compare)",
    %w[compare 3.1.2 3.4.5 -d 8s] => "unknown option -d. Did you mean --budget? (mohs",
    %w[load 127.0.0.1:1 --concurrency 8] => "Did you mean --connections?",
    %w[load 127.0.0.1:1 --budget 8s] => "Did you mean --duration?",
    %w[load 3000] => "3000 is no server address. Did you mean http://127.0.0.1:3000/?",
    %w[load :3000/a] => ":3000/a is no server address. Did you mean http://127.0.0.1:3000/a?",
    ["--variant", "puma -w 2"] => 'Did you mean "puma:2"? (mohs help variants)',
    %w[help variant] => "Did you mean mohs help variants?",
    %w[variants] => "Did you mean mohs help variants?",
    %w[run a.yml b.yml] => 'unexpected argument: "b.yml". Usage: mohs [options]',
    %w[--budget] => "missing argument: --budget", %w[--variant] => "missing argument: --variant",
    %w[--app] => "missing argument: --app", %w[run --round 3] => "Did you mean --rounds?",
    %w[run --varaint 3.4] => "Did you mean --variant? (mohs help run)",
    %w[--rounds -1] => "--rounds -1: must be a positive integer",
    %w[--rounds 1.5] => "--rounds 1.5:",
    %w[--rounds 0x10] => "--rounds 0x10:", %w[--connections 0] => "--connections 0:",
    %w[--connections many] => "--connections many:",
    %w[--hold concurrency] => '--hold "concurrency": write concurrency=16 or memory=512MB',
    %w[--hold cores=2] => "cores: can't be held equal: concurrency or memory can",
    %w[--cores half] => 'cores "half": write how many (2) or which (0,1 or 0-3)',
    %w[--seed -1] => "--seed -1: must be an integer of 0",
    %w[--budget 0] => 'invalid duration "0"', %w[--budget 3d] => 'invalid duration "3d"',
    ["--variant", ""] => "a variant is empty",
    %w[--variant pumaa:1] => "Did you mean puma? (mohs servers)",
    ["--variant", "3.4.5 3.3.8"] => "names two Rubies",
    %w[--variant Gemfile.next.lock] => "is a lock: name its Gemfile",
    %w[--env =x=] => "write it as NAME=value",
    %w[--get http://x/a?b=1] => "is a URL: give only its path. Did you mean /a?b=1?",
    %w[--get http://x] => "give only its path. Did you mean /?",
    %w[--get localhost:3000/x] => "must begin with a slash. Did you mean /x?",
    %w[--get products] => "must begin with a slash. Did you mean /products?",
    ["--get", "/a b"] => "write spaces as %20",
    %w[--get / --body .] => "--body .: Is a directory", %w[--get / --weight 0] => "weight 0",
    ["--get", "/", "-H", "Bad Name: 1"] => '"Bad Name" is not a valid header name',
    ["-H", "Content-Length: 3"] => "mohs sets it itself",
    ["--get", "/\xFF"] => "is not valid UTF-8",
    %w[--app /no/such/folder] => "/no/such/folder", %w[--quiet=yes] => "--quiet",
    %w[-z] => "unknown option -z",
    %w[load] => "an argument is missing. Usage: mohs load URL",
    %w[load a b] => 'unexpected argument: "b"',
    %w[load ftp://127.0.0.1/] => "only http:// can be measured",
    %w[load 127.0.0.1:1 -n 0] => "-n 0:",
    %w[load 127.0.0.1:1 -t x] => "-t x:",
    %w[load 127.0.0.1:1 -d never] => 'invalid duration "never"',
    %w[load 127.0.0.1:1 --batches 64] => "--batches 64: write the number of batches",
    %w[load 127.0.0.1:1 --batches 0x5] => "--batches 0x5: write the number",
    %w[load 127.0.0.1:1 --batches 2x5 -n 9] => "-n and --batches exclude each other",
    %w[load 127.0.0.1:1 -d 1s --batches 2x5] => "-d and --batches exclude each other",
    %w[load 127.0.0.1:1 --batches 2x5 --driver wrk] =>
      "wrk does not record each request, which --batches needs",
    %w[load 127.0.0.1:1 --batches 2x5 --rate 5..9] => "a --rate that changes needs -d, not -n",
    %w[load 127.0.0.1:1 --batches 2x5 --scenario s.yml] => "--scenario excludes --batches",
    ["load", "127.0.0.1:1", "--batches", "2x5", "--find-rate", "p50 < 1ms"] =>
      "--find-rate does not record each request, which --batches needs",
    %w[load 127.0.0.1:1 --seed 1.5] => "--seed 1.5:",
    %w[load me:pw@127.0.0.1:1] => "a password has no place here",
    %w[load 127.0.0.1:99999999] => "99999999 is not a valid port",
    %w[load no-such-host.invalid] => 'the host name "no-such-host.invalid"',
    %w[load 127.0.0.1:1 --durations 3s] => "Did you mean --duration?",
    %w[rubies --list] => "unknown option --list", %w[servers a] => 'unknown server "a"',
    %w[list all] => 'unexpected argument: "all"', %w[docs a b] => 'unexpected argument: "b"',
    %w[help a b] => 'unexpected argument: "b"',
    %w[help --jso] => "Did you mean --json? (mohs help help)",
    %w[show a b] => 'unexpected argument: "b"', %w[show a --log] => "missing argument: --log",
    %w[resume a b] => 'unexpected argument: "b"',
    %w[show zz] => 'no run begins with "zz". The newest are',
    %w[show %] => 'no run begins with "%"',
    ["show", ""] => "run", %w[show a1] => 'several runs begin with "a1": ',
    %w[show a1b2 --log 3.1.3] => 'run a1b2 has no variant "3.1.3". Did you mean "3.1.2"?',
    %w[show a1b2 --log zzzzzzzz] => "It has: 3.1.2, 3.4.5.",
  }.freeze

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

  TABLE.each_with_index do |(argv, text), index|
    test "mistake #{index + 1}: mohs #{argv.join(' ').inspect}" do
      with_runs do |store, dir|
        output = mohs(*argv, dir:, store: -> { store })

        assert_equal 2, output.status, output.err
        assert_empty output.out
        assert_match(/\Amohs: \S.*\n\z/, output.err)
        refute_includes output.err, "a fault of mohs itself"
        assert_includes output.err, text if text
      end
    end
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
