# frozen_string_literal: true

require "test_helper"

# Settings that are asked for and not there, with real interpreters: what looks as if it worked, and
# what the server itself says. test/slow/attestation_traps_test.rb has those that take longer.
class AttestationTrapsTest < Mohs::TestCase
  include Mohs::Attested

  def self.rubies(pattern) = Dir["/opt/rubies/ruby-#{pattern}/bin/ruby"]

  # Executables that Bundler installs on Debian begin with "#!/usr/bin/env ruby3.1", which `bundle
  # exec` starts anew, without the flag.
  test "bundle exec may lose a flag; the command that mohs starts keeps it" do
    Dir.mktmpdir("mohs-test") do |folder|
      facts = under_bundle_exec(folder)
      kept = facts[:flags].include?("--yjit")

      assert_equal kept ? "yjit" : "off", facts[:jit]
      refute kept if File.foreach(RAKE).first.match?(/ruby\d/)
    end
    attested(flags: ["--yjit"]) do |facts|
      assert_equal ["yjit", ["--yjit"], []], facts.values_at(:jit, :flags, :unattested)
    end
  end

  BUNDLE = File.join(Mohs.root, "vendor/bundle")
  RAKE = Dir["#{BUNDLE}/ruby/*/bin/rake"].first

  RAKEFILE = "task(:wait) { puts Process.pid; $stdout.flush; $stdin.read }"

  # Of `ruby --yjit -S bundle exec rake`, with the attestation in it.
  def under_bundle_exec(folder)
    attest = File.join(folder, "attest.rb")
    File.write(attest, Mohs::Probes::Inside.script(engine: Mohs::Rubies::Engines.named("ruby"),
                                                   server: Mohs::Servers::Mock))
    File.write(File.join(folder, "Rakefile"), RAKEFILE)
    env = { "MOHS_INSIDE" => folder, "RUBYOPT" => "-r#{attest}",
            "BUNDLE_GEMFILE" => File.join(Mohs.root, "Gemfile"), "BUNDLE_PATH" => BUNDLE }
    command = [env, "ruby", "--yjit", "-S", "bundle", "exec", "rake", "wait"]
    IO.popen([*command, { chdir: folder }], "r+") do |pipe|
      Mohs::Probes::Attestation.read(Mohs::Probes::Inquiry.new(folder), [pipe.gets.to_i])
    end
  end

  # Ruby => its own options, which must be on the command line of the process that serves.
  { "2.7*" => [%w[--jit --jit-max-cache=200], "mjit"],
    "3.3*" => [%w[--yjit --yjit-exec-mem-size=64 --yjit-call-threshold=20], "yjit"],
    "3.4*" => [%w[--rjit --rjit-call-threshold=20], "rjit"],
    "4*" => [%w[--zjit --zjit-call-threshold=20], "zjit"] }.each do |pattern, (flags, jit)|
    rubies(pattern).each do |ruby|
      test "#{ruby} is attested with #{flags.join(' ')}" do
        attested(ruby, flags:) do |facts|
          assert_equal [jit, flags], facts.values_at(:jit, :flags)
          assert_empty facts[:unattested]
        end
      end
    end
  end

  test "M:N threads are on where the Ruby has them, and else the variant is invalid" do
    env = { "RUBY_MN_THREADS" => "1" }

    assert_match(/\ARUBY_MN_THREADS=1 .*M:N threads is off\z/, refused(env:).message)
    self.class.rubies("{3.[34],4}*").each do |ruby|
      attested(ruby, env:) { |facts| assert facts[:mn_threads] }
    end
    Mohs::InstalledRubies.all(before: "3").each do |ruby|
      assert_equal :invalid, refused(ruby, env:).state, ruby
    end
  end

  # Variable => by the version of the Ruby, is it read?
  TUNING = {
    { "RUBY_MN_THREADS" => "1" } => ->(version) { version >= "3.3" },
    { "RUBY_GC_HEAP_INIT_SLOTS" => "500000" } => ->(version) { version.between?("2.1", "3.3") },
    { "RUBY_GC_HEAP_0_INIT_SLOTS" => "500000" } => ->(version) { version.between?("3.3", "4.1") },
    { "RUBY_GC_HEAP_INIT_BYTES" => "500000" } => ->(version) { version >= "4.1" },
    { "RUBY_GC_HEAP_GROWTH_FACTOR" => "1.1" } => ->(version) { version >= "2.1" },
    { "RUBY_GC_HEAP_FREE_SLOTS_GOAL_RATIO" => "3.5" } => ->(_) { false },
    { "RUBY_YJIT_ENABLE" => "1" } => ->(version) { version >= "3.1" },
    { "RUBY_BOX" => "1" } => ->(version) { version >= "4" },
  }.freeze

  [RbConfig.ruby, *Mohs::InstalledRubies.all].each do |path|
    test "which variables #{path} reads is what it says itself" do
      ruby = Mohs::Rubies.find(path)
      ignored = Mohs::Rubies::IgnoredVariables.new
      TUNING.each do |env, read|
        assert_equal [env, read.call(ruby.version)], [env, ignored.call(ruby, env).empty?]
      end
      assert_equal ruby.flags.include?("--zjit"),
                   ignored.call(ruby, { "RUBY_ZJIT_ENABLE" => "1" }).empty?
    end
  end

  test "an ignored variable is refused before anything is planned, in the Ruby's own words" do
    Dir.mktmpdir("mohs-test") do |folder|
      { "RUBY_MN_THREADS=1" => "ignores RUBY_MN_THREADS=1: RUBY_DESCRIPTION has no +MN",
        "RUBY_GC_HEAP_FREE_SLOTS_GOAL_RATIO=3.5" => "is ignored because it must be lower than" }
        .each do |variable, words|
          found = Mohs::MohsCommand.new(folder)
                                   .call("compare", "ruby", "ruby, #{variable}", "--dry-run",
                                         "--app", File.join(Mohs.root, "apps/hello"))
          assert_equal 2, found.status.exitstatus, found.out
          assert_includes found.err, words
        end
    end
  end

  rubies("4*").each do |ruby|
    test "the variable of each JIT counts like its flag on #{ruby}" do
      %w[yjit zjit].each do |jit|
        env = { "RUBY_#{jit.upcase}_ENABLE" => "true" }
        attested(ruby, env:) { |facts| assert_equal jit, facts[:jit] }
      end
      env = { "RUBY_ZJIT_ENABLE" => "1" }
      attested(ruby, env:, flags: ["--yjit"]) { |facts| assert_equal "yjit", facts[:jit] }
    end
  end

  # As Rails 7.2 and later do (test/slow): no flag or variable keeps it off.
  rubies("{3.[34],4}*").each do |ruby|
    test "YJIT that the application turns on is off on #{ruby}, unless it is to decide itself" do
      with_files("yjit.rb" => "\nRubyVM::YJIT.enable\n") do |folder|
        env = { "RUBYOPT" => "-r#{folder}/yjit.rb" }
        by_app = { jit: "yjit", where: "#{File.realpath(folder)}/yjit.rb:2" }

        [[], ["--disable=yjit"]].each do |flags|
          attested(ruby, flags:, env:) do |facts|
            assert_equal ["off", flags, by_app], facts.values_at(:jit, :flags, :jit_by_app)
          end
        end
        attested(ruby, env:, own_jit: true) do |facts|
          assert_equal ["yjit", [], { jit: "yjit", where: nil }],
                       facts.values_at(:jit, :flags, :jit_by_app)
        end
      end
    end

    # From a thread or a fiber without a line of Ruby, by a method object, from a Ractor.
    test "an application on #{ruby} may turn YJIT on in any way, and notices nothing" do
      ["Thread.new(&RubyVM::YJIT.method(:enable)).value",
       "Fiber.new(&RubyVM::YJIT.method(:enable)).resume",
       "RubyVM::YJIT.send(:enable, stats: false)",
       "(Ractor.new { RubyVM::YJIT.enable }.then { |one| one.respond_to?(:take) ? one.take : " \
       "one.value } rescue false)"].each do |call|
        found = in_process(ruby, call, block_jit: true)
        assert_equal [call, false, false], [call, *found.values_at("returned", "enabled")]
      end
    end

    # The files that are loaded, the constants and methods of the JIT, the process's description and
    # what `enable` returns: as if the line were not there.
    test "nothing but the call changes on #{ruby} if YJIT is kept off" do
      called = in_process(ruby, "RubyVM::YJIT.enable", block_jit: true)
      edited = in_process(ruby, "false", block_jit: false)

      assert_equal edited, called
      assert_equal [false, false], called.values_at("returned", "enabled")
      refute_includes called["description"], "+YJIT"
    end
  end

  PRINT = <<~'RUBY'
    require "json"
    jit = RubyVM::YJIT
    puts JSON.generate("returned" => RETURNED, "enabled" => jit.enabled?,
                       "description" => RUBY_DESCRIPTION, "features" => $LOADED_FEATURES,
                       "constants" => jit.constants.sort, "stats" => jit.runtime_stats.nil?,
                       "methods" => jit.methods(false).sort,
                       "each" => Array.instance_method(:each).inspect)
  RUBY

  def in_process(ruby, call, block_jit:)
    script = Mohs::Probes::Inside.script(engine: Mohs::Rubies::Engines.named("ruby"),
                                         server: Mohs::Servers.fetch("puma"), block_jit:)
    Dir.mktmpdir("mohs-test") do |folder|
      File.write("#{folder}/attest.rb", script)
      File.write("#{folder}/app.rb", "RETURNED = #{call}\n#{PRINT}")
      env = { "MOHS_INSIDE" => "#{folder}/inside" }
      out = IO.popen([env, ruby, "-W0", "-r#{folder}/attest.rb", "#{folder}/app.rb"], &:read)
      JSON.parse(out.gsub(folder, "FOLDER"))
    end
  end

  # RubyGems goes by what a gem says of the Rubies that it needs, not by its source.
  test "the gems that are chosen for Falcon can be read by this Ruby" do
    Mohs::ServerGems.executable("falcon")
    files = Dir["#{Mohs::ServerGems::FOLDER}/gems/{async,falcon,io-event,protocol}*/lib/**/*.rb"]
    unreadable = files.reject { |file| readable?(file) }

    assert_includes files.join("\n"), "/async.rb"
    assert_empty unreadable
  end

  # Whatever Ruby warns of in it.
  def readable?(file)
    verbose, $VERBOSE = $VERBOSE, nil
    RubyVM::InstructionSequence.compile_file(file)
  rescue SyntaxError
    false
  ensure
    $VERBOSE = verbose
  end

  Mohs::Servers.all.select { |klass| klass.capabilities.fetch(:preload) }.each do |klass|
    kind = klass::PACKAGE ? :slow_test : Mohs::ServerGems.kind(klass.label)

    send kind, "the workers of #{klass.label} share a heap that was compacted before a fork" do
      file, package = klass::PACKAGE
      skip "#{package} is not installed" if file && !File.exist?(file)

      with_files(Mohs::ServerProcess::HELLO) do |folder|
        Mohs::ServerProcess.boot("#{klass.label}:2", folder:, preload: true,
                                 env: { "MOHS_BEFORE_FORK" => "compact" }) do |server|
          facts = server.attestation

          assert_equal [%w[compact], 2], [facts[:prepared], facts[:workers]]
        end
      end
    end
  end

  test "GC.compact and Process.warmup are done by every worker's memory, and said by it" do
    attested(processes: 2, compact: true) do |facts|
      assert_equal [%w[compact], 2], [facts[:prepared], facts.dig(:gc, :stat, :compact_count)]
    end
    self.class.rubies("{3.[34],4}*").each do |ruby|
      attested(ruby, warmup: true) { |facts| assert_equal %w[warmup], facts[:prepared] }
    end
    assert_match(/\AProcess\.warmup .*every process/, refused(warmup: true).message)
  end
end
