# frozen_string_literal: true

require "test_helper"

module Mohs
  class BundleTest < TestCase
    include RubyFacts

    GEMFILE = "source \"https://rubygems.org\"\nruby \"3.0.0\"\ngem \"roda\"\n"

    def with_app(files = { "Gemfile" => GEMFILE })
      with_files("app/config.ru" => "run 1",
                 **files.transform_keys { |path| "app/#{path}" }) do |root|
        gemfile = "#{root}/app/Gemfile"
        lock = "#{gemfile}.lock"
        app = App.new(name: "shop", dir: "#{root}/app",
                      gemfile: File.exist?(gemfile) ? gemfile : nil,
                      lock: File.exist?(lock) ? lock : nil)
        yield app, root
      end
    end

    def bundle(app, root, ruby: self.ruby("3.4.5", gem_abi: "3.4.0-static"), env: {},
               server_gems: { "puma" => ">= 5" }, **options)
      App::Bundle.new(app:, ruby:, server_gems:, cache_dir: "#{root}/cache", env:, **options)
    end

    def folder(...) = bundle(...).folder

    test "it is in the cache, not in the application" do
      with_app do |app, root|
        assert_operator folder(app, root), :start_with?, "#{root}/cache/bundles/"
      end
    end

    test "the same application, Ruby and server are the same bundle" do
      with_app { |app, root| assert_equal folder(app, root), folder(app, root) }
    end

    test "any change to the content makes another bundle" do
      with_app do |app, root|
        first = folder(app, root)
        others = [folder(app, root, ruby: ruby("3.1.2", digest: "e" * 64)),
                  folder(app, root, ruby: ruby(gem_platform: "java")),
                  folder(app, root, server_gems: { "puma" => ">= 6" }),
                    folder(app, root, env: { "BUNDLE_BUILD__X" => "y" })]
        File.write(app.gemfile, "#{GEMFILE}gem \"tilt\"\n")
        others << folder(app, root)
        File.write("#{app.gemfile}.lock", "GEM\n")
        others << folder(App.new(**app.to_h, lock: "#{app.gemfile}.lock"), root)
        assert_equal 6, (others - [first]).uniq.size
      end
    end

    test "so does a change to a file that the Gemfile reads" do
      gemfile = "#{GEMFILE}gem File.read(\"config/database.yml\")[/\\S+/]\n"
      files = { "Gemfile" => gemfile, "config/database.yml" => "mysql2", "a.yml" => "1" }
      with_app(files) do |app, root|
        first = folder(app, root)
        File.write("#{app.dir}/a.yml", "2")
        assert_equal first, folder(app, root)
        File.write("#{app.dir}/config/database.yml", "pg")
        refute_equal first, folder(app, root)
      end
    end

    test "a bundle that is not installed is not ready and has no executables" do
      with_app do |app, root|
        fresh = bundle(app, root)
        refute_predicate fresh, :ready?
        error = assert_raises(EnvironmentError) { fresh.executable("puma") }
        assert_match(/bundle of shop for 3\.4\.5 .*install/, error.message)
      end
    end

    test "the environment points to the bundle's files and freezes them" do
      with_app do |app, root|
        folder = folder(app, root)
        assert_equal({ "BUNDLE_GEMFILE" => "#{folder}/Gemfile",
                       "BUNDLE_APP_CONFIG" => "#{folder}/config",
                       "BUNDLE_USER_CACHE" => "#{root}/cache/bundler",
                       "BUNDLE_USER_CONFIG" => "#{folder}/config/user", "BUNDLE_FROZEN" => "true",
                       "GEM_HOME" => "#{root}/cache/gems/3.4.5-dddddddddddd/ruby/3.4.0",
                       "GEM_PATH" => copies(app, root) }, bundle(app, root).env)
      end
    end

    def copies(app, root, **options)
      path = bundle(app, root, **options).env.fetch("GEM_PATH")
      path.tap { assert path.start_with?("#{root}/cache/gems/3.4.5-dddddddddddd/applications/") }
    end

    test "gems that were copied for an application serve it alone, at any commit" do
      with_app do |app, root|
        own = copies(app, root)
        another = App.new(**app.to_h, dir: "#{root}/other", origin: "#{root}/other")
        refute_equal own, copies(another, root)
        assert_equal own, copies(App.new(**app.to_h, dir: "#{root}/checkout"), root)
        assert_equal own, copies(app, root, server_gems: { "falcon" => ">= 0" })
      end
    end

    test "Bundler is given the folders that may have the gems already" do
      files = { "Gemfile" => GEMFILE, ".bundle/config" => "BUNDLE_PATH: own\n" }
      with_app(files) do |app, root|
        given = nil
        watched = spawner { |command| given = command.env }
        env = { "GEM_HOME" => "/gems/mine", "GEM_PATH" => "/gems/a:/gems/b" }
        assert_predicate bundle(app, root, env:, spawner: watched).install, :ok?
        assert_equal ["#{root}/app/own/ruby/3.4.0", "#{root}/app/vendor/bundle/ruby/3.4.0",
                      "/gems/a", "/gems/b", "/gems/mine"], given.fetch("MOHS_GEMS").split(":")
        assert_equal given.fetch("GEM_PATH"), given.fetch("MOHS_COPIES")
      end
    end

    # A checkout beside `app`, with the same files or others, and the folders that its Bundler is
    # given as those of other checkouts.
    def others_of(app, root, lock: File.read(app.lock), env: {})
      dir = "#{root}/#{Digest::SHA256.hexdigest(lock)}"
      FileUtils.mkdir_p(dir)
      File.write("#{dir}/Gemfile", GEMFILE)
      File.write("#{dir}/Gemfile.lock", lock)
      sibling = App.new(**app.to_h, dir:, origin: dir, gemfile: "#{dir}/Gemfile",
                                    lock: "#{dir}/Gemfile.lock")
      given = nil
      bundle(sibling, root, env:, spawner: spawner { |command| given = command.env }).resolve
      assert_equal given.fetch("MOHS_GEMS").split(":").last(1), given["MOHS_OTHERS"].split(":") if
        given["MOHS_OTHERS"].include?("/")
      given.fetch("MOHS_OTHERS")
    end

    test "another checkout with the same lock may have gems to copy" do
      with_app("Gemfile" => GEMFILE, "Gemfile.lock" => "GEM\n") do |app, root|
        assert_empty others_of(app, root)
        own = copies(app, root)
        copying = spawner { FileUtils.mkdir_p(own) }
        assert_predicate bundle(app, root, spawner: copying).install, :ok?

        assert_equal own, others_of(app, root)
        assert_empty others_of(app, root, lock: "GEM\n\n")
        assert_equal own, others_of(app, root, env: { "BUNDLE_WITHOUT" => "a" })
        assert_empty others_of(app, root, env: { "BUNDLE_BUILD__PG" => "--x" })
      end
    end

    test "without a lock nothing is known of other checkouts, nor without copied gems" do
      with_app("Gemfile" => GEMFILE, "Gemfile.lock" => "GEM\n") do |app, root|
        assert_predicate bundle(app, root, spawner:).install, :ok?
        assert_empty others_of(app, root)
        unlocked = App.new(**app.to_h, lock: nil)
        copying = spawner { FileUtils.mkdir_p(copies(app, root)) }
        assert_predicate bundle(unlocked, root, spawner: copying).install, :ok?
        assert_empty others_of(app, root, lock: "")
      end
    end

    test "gems that a Ruby needs compiled in its own way are in a store of their own" do
      with_app do |app, root|
        given = []
        watched = spawner { |command| given << command.env }
        plain, own = ["/lib/libcrypto.so.3", "static"].map do |libcrypto|
          bundle(app, root, ruby: ruby("3.4.5", gem_abi: "3.4.0", libcrypto:), spawner: watched)
        end
        [plain, own].each { |one| assert_predicate one.install, :ok? }
        built = given.map { |env| env.values_at("PUMA_DISABLE_SSL", "MOHS_COMPILED") }

        assert_equal [[nil, ""], ["1", "puma"]], built.uniq
        refute_equal plain.folder, own.folder
        %w[GEM_HOME GEM_PATH].each { |name| refute_equal plain.env[name], own.env[name] }
        refute own.env.key?("PUMA_DISABLE_SSL")
      end
    end

    test "gems that the user's settings compile in another way are in a store of their own" do
      with_app do |app, root|
        stores = [{}, { "BUNDLE_BUILD__PG" => "--with-x" }, { "BUNDLE_JOBS" => "1" }].map do |env|
          bundle(app, root, env:).env.fetch("GEM_HOME")
        end

        assert_equal [true, false], stores.drop(1).map { |store| store != stores.first }
      end
    end

    test "the user's own settings are honoured as the application's are" do
      with_app do |app, root|
        FileUtils.mkdir_p("#{root}/home/.bundle")
        File.write("#{root}/home/.bundle/config", "BUNDLE_WITHOUT: mysql\nBUNDLE_FROZEN: true\n")
        env = { "HOME" => "#{root}/home" }
        assert_predicate bundle(app, root, env:, spawner:).install, :ok?
        config = File.read("#{folder(app, root, env:)}/config/config")

        assert_includes config, "BUNDLE_WITHOUT: \"development:test:mysql\""
        refute_includes config, "FROZEN"
        refute_equal folder(app, root), folder(app, root, env:)
      end
    end

    test "resolving tells what is to be done, and installing does not repeat it" do
      with_app do |app, root|
        actions = []
        watched = spawner { |command| actions << command.argv[-2] }
        one = bundle(app, root, spawner: watched)
        assert_operator one.expected_s, :>, 10
        assert_predicate one.resolve, :ok?
        assert_equal({ fetch: %w[roda puma], copy: %w[rack], precompiled: [] }, one.outstanding)
        assert_operator one.expected_s, :<, 10
        refute_predicate one, :ready?
        assert_predicate one.install, :ok?
        assert_equal [%w[lock install], 0], [actions, one.expected_s]
      end
    end

    # By then its expected time has been announced.
    test "the time of an installation does not include that of resolving before it" do
      with_app do |app, root|
        slow = bundle(app, root, spawner: slow_to_lock)
        assert_operator slow.resolve.seconds, :>, 0.2
        assert_operator slow.install.seconds, :<, 0.2
      end
    end

    test "the time of an installation that resolves includes that" do
      with_app do |app, root|
        slow = bundle(app, root, spawner: slow_to_lock)
        assert_operator slow.install.seconds, :>, 0.2
      end
    end

    test "while it installs, what was begun before the last gem is done" do
      with_app do |app, root|
        one = bundle(app, root, spawner: spawner(output: "Installing puma 8\nInstalling roda 3\n"))
        assert_equal 0, one.done_s
        done = []
        assert_predicate(one.install { done << one.done_s }, :ok?)
        assert_equal [0, App::Bundle::Effort.seconds(fetch: %w[puma], copy: %w[rack])], done.last(2)
      end
    end

    test "what a mohs has resolved and another has removed is resolved again" do
      with_app do |app, root|
        one = bundle(app, root, spawner:)
        assert_predicate one.resolve, :ok?
        FileUtils.rm_rf(one.folder)
        assert_predicate one.install, :ok?
      end
    end

    test "by the lock it is known how long installing may take, less for gems that are there" do
      lock = "GEM\n  specs:\n    roda (3.0)\n    sassc (2.4.0)\n"
      with_app("Gemfile" => GEMFILE, "Gemfile.lock" => lock) do |app, root|
        whole = bundle(app, root).expected_s
        gem = "#{root}/app/vendor/bundle/ruby/3.4.0/specifications/sassc-2.4.0.gemspec"
        FileUtils.mkdir_p(File.dirname(gem))
        File.write(gem, "")
        assert_operator whole, :>, bundle(app, root).expected_s + 5
      end
    end

    test "what the lock names a compiled file of takes no time to compile" do
      plain, compiled = ["", "-x86_64-linux-gnu"].map do |platform|
        lock = "GEM\n  specs:\n    nokogiri (1.18.1#{platform})\n"
        with_app("Gemfile" => GEMFILE, "Gemfile.lock" => lock) do |app, root|
          bundle(app, root).expected_s
        end
      end
      assert_operator plain, :>, compiled + 5
    end

    test "installing a ready bundle does nothing" do
      with_app do |app, root|
        ready(folder(app, root))
        result = bundle(app, root, spawner: Object.new).install { |step| flunk step }
        assert_predicate result, :ok?
        assert_equal [App::Note.of("ruby_line_ignored", line: 'ruby "3.0.0"')], result.notes
        assert_equal [{ "puma" => "8.0.2" }, "/g/puma"],
                     [bundle(app, root).versions, bundle(app, root).executable("puma")]
      end
    end

    test "what a person runs beside it gets its Ruby and gems" do
      with_app do |app, root|
        one = bundle(app, root, spawner:)
        assert_nil one.wrapper
        one.install
        assert_equal "sh #{one.folder}/run", one.wrapper
        script = File.read("#{one.folder}/run")
        %w[GEM_HOME BUNDLE_GEMFILE BUNDLE_APP_CONFIG].each do |name|
          assert_includes script, "\nexport #{name}=#{one.env.fetch(name)}\n"
        end
        folders = [File.join(one.env.fetch("GEM_HOME"), "bin"), File.dirname(ruby("3.4.5").path)]
        assert_includes script, "#{folders.join(':')}:\"$PATH\"\n"
        assert_nil bundle(App.new(**app.to_h, origin: "/srv/shop"), root).wrapper
      end
    end

    # Stands for Bundler: writes what it would, or fails having said why.
    def spawner(output: "", code: 0, lock: "", &watch)
      facts = { "roots" => ["roda"], "gems" => {}, "inputs" => [], "fetch" => %w[roda puma],
                "copy" => ["rack"], "unfit" => [], "precompiled" => [] }
      Class.new do
        define_method(:spawn) do |command, log:|
          watch&.call(command)
          File.write(log, output, mode: "a")
          File.write(command.argv.last, JSON.generate(facts))
          text = lock.respond_to?(:call) ? lock.call : lock
          File.write("#{command.env.fetch('BUNDLE_GEMFILE')}.lock", text)
          Struct.new(:exit_status) { def wait(_) = exit_status; def kill = nil }
                .new(Process::ExitStatus.new(code:))
        end
      end.new
    end

    def slow_to_lock = spawner { |command| sleep 0.3 if command.argv[-2] == "lock" }

    CRASH = "Installing psych 5\n--- ERROR REPORT TEMPLATE ---\n\n```\nNullPointerException: x\n" \
            "  /lib/package.rb:537:in `load_spec'\n from call.c:103:in `rb_yield'\n```\n"

    test "a Bundler that breaks down is started once more, and then it is the reason" do
      with_app do |app, root|
        turns = [spawner, spawner(output: CRASH, code: 1), spawner]
        once = Object.new
        once.define_singleton_method(:spawn) { |*args, **all| turns.shift.spawn(*args, **all) }
        assert_predicate bundle(app, root, spawner: once).install, :ok?
        assert_empty turns
      end
      with_app do |app, root|
        tries = 0
        twice = spawner(output: CRASH, code: 1) { tries += 1 }
        result = bundle(app, root, spawner: twice).install
        assert_equal ["bundler_crashed", 2], [result.reason.code, tries]
        assert_match(/twice: NullPointerException: x\z/, result.reason.summary)
      end
    end

    test "Bundler's failure is the reason, with its last output" do
      with_app do |app, root|
        output = "Fetching\nCould not find gem 'nope' in locally installed gems.\n"
        result = bundle(app, root, spawner: spawner(output:, code: 7)).install
        assert_equal [:failed, "Could not find gem 'nope' in locally installed gems", output],
                     [result.state, result.reason.summary, result.log_tail]
        refute_predicate bundle(app, root), :ready?
      end
    end

    test "the user's credentials for gem servers don't leave the log, which only the user reads" do
      secrets = %w[s3cretPW T0kenOfMine0 0wn-inline n0t:in@settings]
      output = "Retrying, as s3cretPW failed\nCould not download gem from " \
               "http://alice:s3cretPW@127.0.0.1:1/ or https://T0kenOfMine0@b.dev/ or " \
               "https://0wn-inline@c.dev/ or https://n0t:in@settings@d.dev/ (403)\n"
      env = { "BUNDLE_A__DEV" => "alice:s3cretPW", "BUNDLE_HTTPS://B__DEV/" => "T0kenOfMine0" }
      with_app("Gemfile" => GEMFILE, "Gemfile.lock" => "GEM\n") do |app, root|
        fails = spawner(output:, code: 7)
        result = bundle(app, root, env:, spawner: fails).install

        secrets.each { |secret| refute_includes result.to_h.to_s, secret }
        assert_includes result.log_tail, "as [secret] failed\nCould not download gem from " \
                                         "http://[secret]@127.0.0.1:1/ or https://[secret]@b.dev/"
        assert_equal 0o600, File.stat("#{folder(app, root, env:)}/install.log").mode & 0o777
      end
    end

    test "secrets in the addresses of sources are masked, wherever mohs finds the addresses" do
      files = {
        "Gemfile" => "source \"https://a.dev/5eCr3tEntitlementTok3n/\#{ENV[\"SHOP_TOKEN\"]}/\"\n",
        "Gemfile.lock" => "GEM\n  remote: https://b.dev/?k=0fTheLock\n",
      }
      env = { "SHOP_TOKEN" => "0fTheShell", "OTHER_TOKEN" => "not-here-1",
              "BUNDLE_MIRROR__HTTPS://C__DEV/" => "https://u:pw123456@mirror.dev/" }
      output = "5eCr3tEntitlementTok3n 0fTheShell 0fTheLock pw123456 not-here-1\n"
      with_app(files) do |app, root|
        result = bundle(app, root, env:, spawner: spawner(output:, code: 7)).install

        assert_equal "#{'[secret] ' * 4}not-here-1\n", result.log_tail
      end
    end

    # The results of an installation that fails for good on JRuby, and of the next.
    def given_up(app, root, output)
      [spawner(output:, code: 5), Object.new].map do |spawner|
        bundle(app, root, ruby: jruby(root), spawner:).install
      end
    end

    test "what was given up shows no credentials either" do
      output = "https://me:s3cretPW@a.dev\nAn error occurred while installing pg (1.5.9)\n"
      with_app("Gemfile" => GEMFILE, "Gemfile.lock" => "GEM\n") do |app, root|
        again = given_up(app, root, output).last

        assert_equal output.sub("me:s3cretPW", "[secret]"), again.log_tail
      end
    end

    test "a gem that JRuby can't build is reported at once next time, until the Gemfile changes" do
      output = "An error occurred while installing pg (1.5.9), and Bundler cannot continue.\n"
      with_app("Gemfile" => GEMFILE, "Gemfile.lock" => "GEM\n") do |app, root|
        jruby = jruby(root)
        first, again = given_up(app, root, output)

        assert_match(/pg-1.5.9 .*jruby-9.4.14.0/, first.reason.summary)
        assert_equal first.to_h.except(:seconds), again.to_h.except(:seconds)
        File.write(app.gemfile, "#{GEMFILE}gem \"tilt\"\n")
        assert_predicate bundle(app, root, ruby: jruby, spawner:).install, :ok?
      end
    end

    test "of what was given up the facts are kept, not the words of the mohs that did" do
      output = "An error occurred while installing pg (1.5.9), and Bundler cannot continue.\n"
      with_app("Gemfile" => GEMFILE, "Gemfile.lock" => "GEM\n") do |app, root|
        jruby = jruby(root)
        bundle(app, root, ruby: jruby, spawner: spawner(output:, code: 5)).install
        kept = File.join(folder(app, root, ruby: jruby), "hopeless")
        reasons = [["a", "1", ">= 9"]].then do |unfit|
          File.write(kept, JSON.generate({ unfit: }))
          [bundle(app, root, ruby: jruby, spawner: Object.new).install.reason,
           App::Bundle::Failure.unfit(unfit, jruby)]
        end
        File.write(kept, "pg could not be built, as an earlier mohs put it")

        assert_equal(*reasons)
        assert_predicate bundle(app, root, ruby: jruby, spawner:).install, :ok?
      end
    end

    # With a psych of its own.
    def jruby(root)
      psych = Rubies::Engines::Jruby::PSYCH.sub("*", "5.2.3")
      ["bin/jruby", psych].each do |path|
        FileUtils.mkdir_p(File.dirname("#{root}/jruby/#{path}"))
        File.write("#{root}/jruby/#{path}", "")
      end
      ruby("9.4.14.0", engine: "jruby", path: "#{root}/jruby/bin/jruby")
    end

    # A lock in which rdoc, which roda needs, brings psych.
    def psych(version)
      "GEM\n  specs:\n    psych (#{version}-java)\n    roda (3.0)\n      psych\n"
    end

    # What Bundler does when psych is limited.
    def limiting(actions, root)
      lambda do |command|
        actions << command.argv[-2]
        text = File.read(command.env.fetch("BUNDLE_GEMFILE"))
        limited = text[/^limits = .*/]
        File.write("#{root}/lock", psych(limited ? "5.2.3" : "5.5.0"))
      end
    end

    test "a gem that JRuby can't load in this version is resolved again, and that is noted" do
      with_app("Gemfile" => GEMFILE, "Gemfile.lock" => psych("5.5.0")) do |app, root|
        actions = []
        locks = -> { File.read("#{root}/lock") }
        watched = spawner(lock: locks, &limiting(actions, root))
        one = bundle(app, root, ruby: jruby(root), spawner: watched)
        result = one.install
        assert_nil result.reason
        assert_equal %w[lock lock install], actions
        assert_includes result.notes,
                        App::Note.of("gem_limited", gem: "psych", version: "5.5.0",
                                                    instead: "5.2.3", ruby: "jruby-9.4.14.0")
      end
    end

    test "psych is limited only where it is in the bundle, and only on JRuby" do
      with_app do |app, root|
        [[jruby(root), "GEM\n"], [jruby(root), psych("5.2.3")],
         [ruby("3.4.5"), psych("5.5.0")]].each do |on, lock|
          actions = []
          watched = spawner(lock:) { |command| actions << command.argv[-2] }
          result = bundle(app, root, ruby: on, spawner: watched).resolve
          assert_equal [%w[lock], nil], [actions, result.reason]
          assert_equal(%w[ruby_line_ignored], result.notes.map(&:code))
        end
      end
    end

    test "a Rails application has JRuby's adapter instead of a driver in C, and that is noted" do
      gemfile = "source \"https://rubygems.org\"\ngem \"pg\"\n"
      adapter = "activerecord-jdbcpostgresql-adapter"
      lock = "GEM\n  specs:\n    #{adapter} (72.1-java)\n"
      with_app("Gemfile" => gemfile) do |app, root|
        rails = App.new(**app.to_h, rails: true)
        found = [[rails, jruby(root)], [app, jruby(root)], [rails, ruby]].map do |one, on|
          made = bundle(one, root, ruby: on, spawner: spawner(lock:))
          notes = made.resolve.notes.map { |note| note.values.values_at(:gem, :instead) }
          [File.read("#{made.folder}/Gemfile").include?(adapter), notes]
        end
        assert_equal [[true, [["pg", "#{adapter} 72.1"]]], [false, []], [false, []]], found

        File.write(app.gemfile, "#{gemfile}gem \"#{adapter}\"\n")
        assert_empty bundle(rails, root, ruby: jruby(root), spawner: spawner(lock:)).resolve.notes
      end
    end

    test "a gem that Ruby did not build is tried again: a package may have been installed" do
      output = "An error occurred while installing pg (1.5.9), and Bundler cannot continue.\n"
      with_app("Gemfile" => GEMFILE, "Gemfile.lock" => "GEM\n") do |app, root|
        refute_predicate bundle(app, root, spawner: spawner(output:, code: 5)).install, :ok?
        assert_predicate bundle(app, root, spawner:).install, :ok?
      end
    end

    test "a changed lock is a failure although Bundler succeeded" do
      lock = "GEM\n  specs:\n    roda (3.0)\n"
      with_app("Gemfile" => GEMFILE, "Gemfile.lock" => lock) do |app, root|
        moved = spawner(lock: lock.sub("3.0", "2.0"))
        result = bundle(app, root, spawner: moved).install
        assert_match(/ 3\.4\.5: roda 3\.0 \(Bundler chose 2\.0\)/,
                     result.reason.summary)
        assert_predicate bundle(app, root, spawner: spawner(lock:)).install, :ok?
      end
    end

    test "the bundle's settings may hold credentials: nobody else reads them" do
      with_app(".bundle/config" => "BUNDLE_GEMS__X__COM: me:secret\n") do |app, root|
        assert_predicate bundle(app, root, spawner: spawner).install, :ok?
        config = "#{folder(app, root)}/config/config"
        assert_includes File.read(config), "me:secret"
        assert_equal 0o600, File.stat(config).mode & 0o777
      end
    end

    test "credentials that a file can't hold are for the installation alone" do
      with_app do |app, root|
        given = nil
        env = { "BUNDLE_GEMS__X__COM" => "me:se#cret" }
        one = bundle(app, root, env:, spawner: spawner { |command| given = command.env })
        assert_predicate one.install, :ok?

        assert_equal "me:se#cret", given["BUNDLE_GEMS__X__COM"]
        refute_includes one.env.values.join, "cret"
        refute_includes File.read("#{one.folder}/config/config"), "cret"
        refute_equal one.folder, folder(app, root, env: { "BUNDLE_GEMS__X__COM" => "me:s#" })
      end
    end

    test "a missing executable is an error that says what to add" do
      with_app do |app, root|
        ready(folder(app, root))
        error = assert_raises(EnvironmentError) { bundle(app, root).executable("unicorn") }
        assert_match(/bundle of shop for 3\.4\.5 .*executable unicorn/,
                     error.message)
      end
    end

    test "an application without a Gemfile has nothing ignored" do
      with_app({}) do |app, root|
        ready(folder(app, root))
        assert_empty bundle(app, root).install.notes
      end
    end

    private

    def ready(folder)
      FileUtils.mkdir_p(folder)
      File.write("#{folder}/report",
                 JSON.generate("gems" => { "puma" => { "version" => "8.0.2",
                                                       "executables" => { "puma" => "/g/puma" } } },
                                                   "inputs" => []))
      App::Bundle::Manifest.write(report: "#{folder}/report", path: "#{folder}/manifest.json")
    end
  end
end
