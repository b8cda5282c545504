# frozen_string_literal: true

require "etc"
require "test_helper"

module Mohs
  # With a shell script in the place of the Ruby that runs Bundler.
  class BundleInstallerTest < TestCase
    include RubyFacts

    # The folder of gems is called as that of a Ruby whose digest begins with a digit.
    HOME = "gems/3.4.5-751d"

    # Runs the script as `lock`, then as `install`; yields what each was: [success, steps], the log.
    def install(script, dir: nil, shell: {}, gems: nil, watch: ->(_) {})
      files = { "bin/ruby" => "#!/bin/sh\n#{script}", "install.log" => "Installing before 0.1\n" }
      with_files(files) do |root|
        File.chmod(0o755, "#{root}/bin/ruby")
        mock = ruby("1.0", engine: "mock", path: "#{root}/bin/ruby")
        runs = %w[lock install].map do |action|
          steps = []
          installer = App::Bundle::Installer.new(ruby: mock, env: { "BUNDLE_GEMFILE" => "/g",
                                                        "GEM_HOME" => "#{root}/#{HOME}" },
                                                 dir: dir || root, log: "#{root}/install.log",
                                                 shell:, gems:)
          done = installer.call(action, "#{root}/#{action}.json") do |step|
            steps << step
            watch.call(installer)
          end
          [done, steps]
        end
        yield runs, File.read("#{root}/install.log"), root
      end
    end

    test "each gem is reported once, with its version" do
      script = <<~SH
        [ "$2" = lock ] && { echo "Resolving dependencies..."; exit 0; }
        echo "Fetching rack 3.2.8"
        echo "Installing rack 3.2.8"
        echo "Using json 2.1"
        echo "Installing nio4r 2.7.5 with native extensions"
      SH
      install(script) do |runs, _, _|
        result = ["installing for mock-1.0: rack 3.2.8",
                "installing for mock-1.0: nio4r 2.7.5"]
        assert_equal [[true, []], [true, result]], runs
      end
    end

    test "gems are counted, and those that are copied reported" do
      script = <<~SH
        echo "Copying 70 installed gems"
        echo "Installing rack 3.2.8"
        echo "Installing nio4r 2.7.5 with native extensions"
      SH
      install(script, gems: 12) do |runs, _, _|
        assert_equal ["installing for mock-1.0: copying 70 installed gems",
                      "installing for mock-1.0: rack 3.2.8 (1 of 12 gems)",
                      "installing for mock-1.0: nio4r 2.7.5 (2 of 12 gems)"], runs.first.last
      end
    end

    test "a Ruby without OpenSSL has a relay, of which the log says nothing" do
      script = "#!/bin/sh\necho \"no specs from ${MOHS_RELAY-none}/a.b/\"\n"
      with_files("bin/ruby" => script) do |root|
        File.chmod(0o755, "#{root}/bin/ruby")
        logs = ["", "/usr/lib/libcrypto.so.3"].map do |libcrypto|
          own = ruby(libcrypto:, path: "#{root}/bin/ruby")
          log = File.join(root, "log#{libcrypto.size}")
          File.write(log, "")
          App::Bundle::Installer.new(ruby: own, env: {}, dir: root, log:).call("lock", "x") { nil }
          File.read(log)
        end

        assert_equal ["no specs from https://a.b/\n", "no specs from none/a.b/\n"], logs
      end
    end

    test "while compilers run, it is reported what they compile and for how long" do
      script = <<~SH
        [ "$2" = lock ] && exit 0
        echo "Installing sassc 2.4.0 with native extensions"
        mkdir -p gems/3.4.5-751d/gems/sassc-2.4.0/ext gems/3.4.5-751d/gems/pg-1.5.9/ext
        (cd gems/3.4.5-751d/gems/sassc-2.4.0/ext && exec sleep 2.5)
        (cd gems/3.4.5-751d/gems/pg-1.5.9/ext && exec sleep 0.8)
      SH
      install(script, gems: 9) do |runs, _, _|
        done, (first, *steps) = runs.last
        assert_equal [true, "installing for mock-1.0: sassc 2.4.0 (1 of 9 gems)"], [done, first]
        lines = steps.grep(/: compiling (?:sassc 2.4.0|pg 1.5.9), \d+ s \(1 of 9 gems\)\z/)
        assert_equal [steps, steps.uniq], [lines, lines]
        times = steps.map { |step| step[/compiling (\w+)/, 1] }.tally
        assert_equal %w[sassc pg], times.keys
        assert_operator times.fetch("sassc"), :>=, 2
      end
    end

    test "a gem that is still compiled is not done, though others have begun since" do
      script = <<~SH
        [ "$2" = lock ] && exit 0
        mkdir -p #{HOME}/gems/sassc-2.4.0/ext
        (cd #{HOME}/gems/sassc-2.4.0/ext && exec sleep 1.2) &
        printf 'Installing sassc 2.4.0\nInstalling rack 3.1.0\nInstalling roda 3.9.0\n'
        wait
        sleep 0.5
        echo "Installing tilt 2.0.0"
      SH
      done = []
      install(script, watch: ->(one) { done << [one.done, one.compiling.keys] }) do |runs, *|
        assert runs.last.first
      end

      assert_equal [[%w[rack], %w[sassc]], [%w[sassc rack roda], []]], [done[-2], done.last]
    end

    # A repository with one gem, one with several, and what is no gem's folder at all.
    test "gems from git are reported with their names, though their folders are named otherwise" do
      script = <<~SH
        [ "$2" = lock ] && exit 0
        cd #{HOME} || exit 1
        for ext in ruby-debug-751d60a1b2c3/ext/debug rails-0a1b2c3d4e5f/activesupport/ext; do
          mkdir -p bundler/gems/$ext
        done
        touch bundler/gems/ruby-debug-751d60a1b2c3/debug.gemspec
        touch bundler/gems/rails-0a1b2c3d4e5f/rails.gemspec
        touch bundler/gems/rails-0a1b2c3d4e5f/activesupport/activesupport.gemspec
        mkdir -p bundler/gems/two-123456789abc cache
        touch bundler/gems/two-123456789abc/a.gemspec bundler/gems/two-123456789abc/b.gemspec
        for dir in cache bundler/gems/*/ext/debug bundler/gems/*/activesupport/ext bundler/gems/two-*; do
          (cd $dir && exec sleep 0.5)
        done
      SH
      install("mkdir -p #{HOME}\n#{script}") do |runs, _, _|
        names = runs.last.last.map { |step| step[/compiling (.+), \d+ s/, 1] }

        assert_equal ["debug (751d60a from git)", "activesupport (0a1b2c3 from git)",
                      "two (1234567 from git)"], names.uniq
      end
    end

    test "Bundler and compilers use all cores, unless the person has set otherwise" do
      cores = Etc.nprocessors
      { nil => "-j#{cores}", "-j1" => "-j1", " -j --jobserver-auth=3,4" => "-j#{cores}" }
        .each do |own, expected|
          install("echo \"$BUNDLE_JOBS:$MAKEFLAGS\"\n",
                  shell: { "MAKEFLAGS" => own }.compact) do |_, log, _|
            assert_equal "#{cores}:#{expected}", log.lines.last.chomp
          end
        end
    end

    test "a line that arrives in two halves is one step" do
      script = "printf 'Installing ra'; sleep 0.5; printf 'ck 3.2.8\\nInstalling half 1'\n"
      install(script) do |runs, _, _|
        assert_equal ["installing for mock-1.0: rack 3.2.8"], runs.first.last
      end
    end

    test "bytes that aren't text do no harm" do
      install("printf 'Installing a 1\\n\\377\\376\\nInstalling b 2\\n'\n") do |runs, _, _|
        assert_equal %w[a b], (runs.first.last.map { |step| step[/: (\w) /, 1] })
      end
    end

    test "errors are appended to the log" do
      install("echo said; echo 'no more' >&2; exit 7\n") do |runs, log, _|
        assert_equal [[false, []], [false, []]], runs
        assert_equal "Installing before 0.1\nsaid\nno more\nsaid\nno more\n", log
      end
    end

    test "Bundler gets its task, in the application's folder, not frozen" do
      script = "echo \"$1 $2 $3 in $PWD $BUNDLE_GEMFILE $BUNDLE_FROZEN $JARS_SKIP\"\n"
      install(script) do |_, log, root|
        output = log.lines.drop(1).map(&:split)
        assert_equal [App::Bundle::Installer::SCRIPT], output.map(&:first).uniq
        assert_equal ["lock #{root}/lock.json", "install #{root}/install.json"],
                     (output.map { |words| words[1, 2].join(" ") })
        assert_equal [["in", File.realpath(root), "/g", "false", "true"]],
                     (output.map { |words| words.drop(3) }.uniq)
      end
    end

    test "temporary files are in a folder of its own, which is removed" do
      install("echo > \"$TMPDIR/cc1.s\"; echo \"folder $TMPDIR\"\n") do |_, log, _|
        folders = log.scan(/^folder (.*)$/).flatten
        assert_equal 2, folders.uniq.size
        folders.each do |folder|
          assert_match Process::ScratchFolder::FORM, File.basename(folder)
          refute_path_exists folder
        end
      end
    end

    test "processes that it leaves behind are ended" do
      install("sleep 600 & echo $!\n") do |_, log, _|
        pids = log.scan(/^\d+$/).map(&:to_i)
        assert_equal 2, pids.size
        pids.each { |pid| refute_path_exists "/proc/#{pid}" }
      end
    end

    test "a missing Ruby is a failure that the log explains" do
      install("exit 0\n", dir: "/nowhere/at/all") do |runs, log, _|
        assert_equal [false, false], runs.map(&:first)
        assert_match(%r{cannot enter the folder /nowhere/at/all}, log)
      end
    end
  end
end
