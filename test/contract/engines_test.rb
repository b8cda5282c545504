# frozen_string_literal: true

require "test_helper"

module Mohs
  class EnginesTest < TestCase
    include RubyFacts

    # Per member, flags => what attestation must find, beside the flags named as its JITs.
    FLAGS = {
      "cruby" => {
        ["--jit"] => "yjit", ["--enable=yjit"] => "yjit", ["--enable-yjit"] => "yjit",
        ["--yjit-exec-mem-size=64"] => "yjit", ["--yjit", "--disable=yjit"] => "off",
        ["--zjit-call-threshold=5"] => "zjit", ["--enable=zjit"] => "zjit",
        ["--zjit", "--disable-yjit"] => "zjit", ["--zjit", "--disable=jit"] => "zjit",
        ["--disable-zjit"] => nil, ["--disable-yjit", "--yjit"] => "yjit",
        ["--yjit-disable"] => nil, ["--zjit", "--zjit-disable"] => nil,
        ["--parser=prism"] => nil, ["--enable=frozen-string-literal"] => nil,
      },
      "jruby" => { ["--dev"] => nil, ["-X-C"] => "off", ["-Xcompile.mode=OFF"] => "off" },
      "truffleruby" => { ["--engine.Compilation=false"] => "off", ["--cexts=false"] => nil },
      "mock" => { ["--mock"] => "mock" },
    }.freeze

    test "experimental is every JIT but YJIT, also by the flag that meant another one" do
      cruby = Rubies::Engines.named("ruby")
      found = { "3.4.5" => %w[--yjit --rjit --enable=mjit --zjit --jit],
                "3.0.7" => %w[--jit], "2.7.4" => %w[--jit] }.to_h do |version, flags|
        [version, flags.select { |flag| cruby.experimental?([flag], version) }]
      end

      assert_equal({ "3.4.5" => %w[--rjit --enable=mjit --zjit], "3.0.7" => %w[--jit],
                     "2.7.4" => %w[--jit] }, found)
      refute Rubies::Engines.named("jruby").experimental?(["--dev"], "jruby-10")
    end

    test "MJIT goes on compiling, as JVMs do, and so costs more; other JITs of CRuby don't" do
      cruby = Rubies::Engines.named("ruby")
      found = { "3.1.2" => %w[--mjit --enable-mjit --yjit --jit], "2.7.4" => %w[--jit],
                "3.4.5" => %w[--rjit --jit] }.to_h do |version, flags|
        [version, flags.select { |flag| cruby.lingers?([flag], version) }]
      end

      assert_equal({ "3.1.2" => %w[--mjit --enable-mjit], "2.7.4" => %w[--jit], "3.4.5" => [] },
                   found)
      assert_operator cruby.cost(["--mjit"], "3.1.2")[:warm_up_s], :>=, 10
      assert_equal cruby::COST, cruby.cost(["--yjit"], "3.1.2")
      assert Rubies::Engines.named("jruby").lingers?([], "jruby-10")
    end

    test "compilers have to be idle, but for those of a TruffleRuby that compiles nothing" do
      found = %w[truffleruby jruby ruby].to_h do |name|
        engine = Rubies::Engines.named(name)
        [name, ["graal", "off", nil].map { |jit| engine.warm_up(jit)[:background] }]
      end
      assert_equal({ "truffleruby" => [true, false, true], "jruby" => [true, true, true],
                     "ruby" => [nil, nil, nil] }, found)
    end

    test "MJIT alone saves what it compiles, and tells of it" do
      cruby = Rubies::Engines.named("ruby")

      assert cruby.saves_code?(%w[--jit --jit-save-temps])
      assert cruby.saves_code?(%w[--mjit-save-temps])
      refute cruby.saves_code?(%w[--jit --jit-verbose=1])
      found = %w[--jit-verbose=1 --mjit-verbose=2 --jit-verbose=0 --jit].select do |flag|
        cruby.logs_code?([flag])
      end
      assert_equal %w[--jit-verbose=1 --mjit-verbose=2], found
    end

    test "JRuby loads no psych but its own" do
      with_files("bin/jruby" => "", Rubies::Engines::Jruby::PSYCH.sub("*", "5.2.3") => "") do |home|
        jruby = Rubies::Engines.of(ruby("10.0", engine: "jruby", path: "#{home}/bin/jruby"))
        assert_equal({ "psych" => "= 5.2.3" }, jruby.gem_limits)
      end
    end

    test "Puma has no TLS where Ruby brings an OpenSSL of its own" do
      own = ["static", "/opt/r/openssl/lib/libcrypto.so.1.1", "/usr/local/lib/libcrypto.so.3"]
      system = ["", "/lib/x86_64-linux-gnu/libcrypto.so.3", "/usr/lib64/libcrypto.so.1.1"]
      builds = (own + system).to_h do |libcrypto|
        [libcrypto, Rubies::Engines.of(ruby(libcrypto:)).gem_builds.keys]
      end

      assert_equal [[["puma"]] * 3, [[]] * 3], [builds.values_at(*own), builds.values_at(*system)]
      without = { "PUMA_DISABLE_SSL" => "1", "DISABLE_SSL" => "1" }
      assert_equal without, Rubies::Engines.of(ruby(libcrypto: "static")).gem_builds["puma"]
      assert_empty Rubies::Engines.of(ruby("10.0", engine: "jruby", libcrypto: "")).gem_builds
    end

    test "flags are those of engines that exist" do
      assert_empty FLAGS.keys - Rubies::Engines.names
    end

    Rubies::Engines.names.each do |name|
      ruby_engine = Rubies::Engines.ruby_engine(name)
      jits = Rubies::Engines.fetch(name)::JITS.to_h { |jit| [["--#{jit}"], jit] }
                            .merge(FLAGS.fetch(name, {}))
      define_method(:"engine_#{name}") { Rubies::Engines.of(ruby("3.4.5", engine: ruby_engine)) }

      test "#{name} is found by what the Ruby calls itself" do
        assert_instance_of Rubies::Engines.fetch(name), send(:"engine_#{name}")
        assert Rubies::Engines.supports?(ruby_engine)
      end

      test "#{name} starts a script with flags before and arguments behind it" do
        argv,
          env = send(:"engine_#{name}").launch(flags: ["-W0"], requires: ["a", "b"],
                                               script: "s.rb", args: ["x"])
        assert_equal ["/rubies/3.4.5/bin/ruby", "-W0", "-ra", "-rb", "s.rb", "x"], argv
        assert_kind_of Hash, env
      end

      test "#{name} says what flags promise about the JIT, and nothing without any" do
        assert_nil send(:"engine_#{name}").expects_jit([])
        jits.each do |flags, jit|
          assert_equal [flags, jit], [flags, send(:"engine_#{name}").expects_jit(flags)]
        end
      end

      test "#{name} declares itself fully" do
        engine = Rubies::Engines.fetch(name)
        assert_equal ruby_engine, engine.ruby_engine
        assert_match(/\A[a-z]+\z/, engine::EXECUTABLE)
        [engine::FOR_TESTS, engine::FORKS, engine::GVL, engine::C_EXTENSIONS, engine::RUBYGEMS,
         engine::SLOW].each { |value| assert_includes [true, false], value }
        assert_operator engine::BOOT_LIMIT_S, :>, engine::COST.fetch(:boot_s)
        assert_equal %i[boot_s warm_up_s stop_s], engine::COST.keys
        assert_equal engine::COST, engine.cost([], "3.4.5")
        assert_equal engine::SLOW, engine.lingers?([], "3.4.5")
        assert_equal [false, false], [engine.saves_code?([]), engine.logs_code?([])]
        assert_empty engine::DEVELOPMENT - send(:"engine_#{name}").candidate_flags
        assert_kind_of Regexp, engine::VARIABLES
        assert_match engine::VARIABLES, engine::OPTIONS
        assert(engine::SUBSTITUTES.none? { |gem, (instead, _)| gem == instead })
        assert_empty(engine::SUBSTITUTES) if engine::C_EXTENSIONS
      end

      test "#{name} reads variables for tuning only where it can be asked which" do
        engine = send(:"engine_#{name}")
        tuning = { "RUBY_GC_HEAP_FREE_SLOTS" => "9", "RUBY_MN_THREADS" => "1" }
        assert_equal tuning.keys, engine.ignored(tuning, "").keys
        assert_equal name == "cruby", !engine.tuning_probe.nil?
      end

      test "#{name} has a rule for getting warm with any JIT that it may have" do
        [nil, "off", *jits.values.compact].each do |jit|
          rule = Trial::WarmUp.for(ruby_engine, jit:)
          assert_equal Trial::WarmUp::FIRST / Trial::WarmUp::STEPS, rule.next
        end
      end

      test "#{name} says the same version for the same facts" do
        facts = { "version" => "9.4", "description" => "ruby 9.4 (2025) [x]" }
        assert_equal "9.4", Rubies::Engines.fetch(name).version(facts, "/rubies/9.4/bin/ruby")
      end

      test "#{name} is attested by code that parses" do
        engine = Rubies::Engines.fetch(name)
        script = Probes::Inside.script(engine:, server: Servers::Mock)
        assert RubyVM::InstructionSequence.compile(script)
        assert_equal !engine::FOR_TESTS, engine::INSIDE.include?("def self.jit\n")
      end

      test "#{name} tells figures of the list, if it is no engine for tests" do
        engine = Rubies::Engines.fetch(name)
        names = engine::INSIDE.gsub(/^\s*#.*/, "").scan(/\b([a-z_]+): /).flatten.map(&:to_sym)

        assert_equal !engine::FOR_TESTS, engine::INSIDE.include?("def self.engine_figures\n")
        assert_empty names - Analysis::Measures.names(:inside)
      end

      test "#{name} has an extension for C that is there, or none" do
        source = send(:"engine_#{name}").extension
        assert(source.nil? || File.file?(source))
      end

      test "#{name} probes each flag that it offers" do
        engine = send(:"engine_#{name}")
        assert_equal engine.candidate_flags.uniq, engine.candidate_flags
        engine.candidate_flags.each { |flag| assert_equal flag, engine.flag_probe(flag).first }
      end
    end

    test "an engine that nobody wrote a member for is not supported, and has the defaults" do
      refute Rubies::Engines.supports?("rubinius")
      assert_equal Rubies::Engines::Base, Rubies::Engines.named("rubinius")
    end

    test "engines for tests are not offered" do
      assert_equal Rubies::Engines.names - %w[mock], Rubies::Engines.offered.map(&:label)
    end

    test "a flag for a JIT stops who does not know it" do
      assert_empty %w[--yjit --mjit --rjit --zjit] - Rubies::Engines.jit_flags
      refute_includes Rubies::Engines.jit_flags, "--jit"
    end

    # Engine => [variables, flags] => what attestation must find.
    VARIABLES = {
      "ruby" => { [{ "RUBYOPT" => "-W0 --yjit" }, []] => "yjit",
                  [{ "RUBYOPT" => "--yjit" }, ["--rjit"]] => "rjit",
                  [{ "RUBY_YJIT_ENABLE" => "1" }, []] => "yjit",
                  [{ "RUBY_YJIT_ENABLE" => "true" }, []] => "yjit",
                  [{ "RUBY_YJIT_ENABLE" => "yes" }, []] => "yjit",
                  [{ "RUBY_YJIT_ENABLE" => "2" }, []] => nil,
                  [{ "RUBY_ZJIT_ENABLE" => "1" }, []] => "zjit",
                  [{ "RUBY_ZJIT_ENABLE" => "on" }, []] => nil,
                  [{ "RUBY_ZJIT_ENABLE" => "1" }, ["--yjit"]] => "yjit",
                  [{ "RUBY_YJIT_ENABLE" => "1" }, ["--disable=yjit"]] => "off",
                  [{ "RUBY_ZJIT_ENABLE" => "1" }, ["--disable=yjit"]] => "zjit",
                  [{ "RUBY_ZJIT_ENABLE" => "1" }, ["--jit", "--disable-jit"]] => "zjit",
                  [{ "RUBY_YJIT_ENABLE" => "1" }, ["--yjit-disable"]] => nil,
                  [{ "RUBY_YJIT_ENABLE" => "0", "JRUBY_OPTS" => "-X-C" }, []] => nil },
      "jruby" => { [{ "JRUBY_OPTS" => "-J-Xmx1g -X-C" }, []] => "off" },
      "truffleruby" => { [{ "TRUFFLERUBYOPT" => "--engine.Compilation=false" }, []] => "off" },
    }.freeze

    test "variables say as much of the JIT as flags do" do
      VARIABLES.each do |engine, cases|
        cases.each do |(env, flags), jit|
          found = ruby("3.4.5", engine:).expects_jit(flags, env)
          assert_equal [engine, env, jit], [engine, env, found]
        end
      end
    end

    test "a variant's settings are named as the attestation names them" do
      { "ruby" => [{ "RUBY_MN_THREADS" => "1" }, ["--yjit"], { jit: "yjit", mn_threads: true }],
        "jruby" => [{ "JRUBY_OPTS" => "-Xcompile.invokedynamic=true" },
                    ["-Xcompile.invokedynamic=false", "-X-C"],
                    { jit: "off", invokedynamic: false }],
        "truffleruby" => [{ "RUBY_MN_THREADS" => "1" }, ["--engine.Mode=latency"], {}] }
        .each do |engine, (env, flags, settings)|
          found = Rubies::Engines.of(ruby("3.4.5", engine:)).expects(flags, env)
          assert_equal settings, found, engine
        end
      assert_empty Rubies::Engines.of(ruby).expects([], { "RUBY_MN_THREADS" => "0" })
    end

    # Engine => flag => the word of the process's command line that shows it.
    SHOWN = {
      "ruby" => { "--yjit" => "--yjit", "--yjit-exec-mem-size=64" => "--yjit-exec-mem-size=64" },
      "jruby" => { "--dev" => "@/jruby/bin/.dev_mode.java_opts", "-X-C" => "-X-C",
                   "-J-Xmx1g" => "-Xmx1g", "-Xcompile.mode=OFF" => "-Djruby.compile.mode=OFF" },
      "truffleruby" => { "--engine.Mode=latency" => "--engine.Mode=latency" },
    }.freeze

    test "a flag is seen on the command line of the process, in the form that it has there" do
      SHOWN.each do |engine, flags|
        one = Rubies::Engines.of(ruby("3.4.5", engine:))
        flags.each do |flag, word|
          assert one.started_with?(flag, ["-x", word]), flag
          refute one.started_with?(flag, ["-x"]), flag
        end
      end
    end

    test "CRuby has hooks around its lock since 3.2" do
      found = %w[2.7.4 3.1.2 3.2.0 3.4.5].select do |version|
        Rubies::Engines.of(ruby(version)).extension
      end

      assert_equal %w[3.2.0 3.4.5], found
    end

    test "--jit means MJIT until 3.0, then the first JIT that this build has" do
      assert_equal "mjit", Rubies::Engines.of(ruby("2.7.4")).expects_jit(["--jit"])
      { %w[--yjit --mjit] => "yjit", %w[--yjit --zjit] => "yjit", %w[--zjit] => "zjit",
        %w[--rjit] => "rjit", [] => "yjit" }.each do |flags, jit|
        assert_equal jit, Rubies::Engines.of(ruby("4.0.5", flags:)).expects_jit(["--jit"])
      end
    end

    test "a shared library, a jar are part of what is digested" do
      files = { "bin/ruby" => "", "lib/x86_64/libruby-3.1.so.3.1.2" => "",
                "lib/x86_64/libruby-3.1.so.3.1" => "",
                "lib/jruby.jar" => "", "lib/ruby-language-25.jar" => "" }
      with_files(files) do |root|
        names = lambda do |engine, **facts|
          described = ruby("3.1.2", engine:, path: "#{root}/bin/ruby", **facts)
          Rubies::Engines.of(described).identity_files.map { |file| File.basename(file) }
        end
        assert_equal ["libruby-3.1.so.3.1.2"], names.call("ruby", configure: "'--enable-shared'")
        assert_equal ["libruby-3.1.so.3.1.2"],
                     names.call("ruby", version: "3.1.2dev", configure: "--enable-shared")
        assert_empty names.call("ruby", configure: "'--prefix=/usr'")
        assert_equal ["jruby.jar"], names.call("jruby")
        assert_equal ["ruby-language-25.jar"], names.call("truffleruby")
        assert_empty names.call("mock")
      end
    end
  end
end
