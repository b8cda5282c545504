# frozen_string_literal: true

require "digest"
require "test_helper"

module Mohs
  # Bundles installed for real, by the Ruby that runs the tests, from gems in a folder.
  class BundleInstallTest < TestCase
    include BundledApp

    # One identity for all tests of this file.
    def self.ruby = @ruby ||= Rubies.find(Gem.ruby, env: ENVIRONMENT)

    def ruby = self.class.ruby

    def digest(folder)
      Dir.glob("#{folder}/**/*", File::FNM_DOTMATCH).select { |path| File.file?(path) }
         .to_h { |path| [path, Digest::SHA256.file(path).hexdigest] }
    end

    GEMFILE = "source \"SOURCE\"\nruby \"1.8.7\"\ngem \"tiny\"\n"

    OWN_SETTINGS = "---\nBUNDLE_WITHOUT: \"default\"\nBUNDLE_PATH: \"nowhere\"\n"

    test "an application is installed, its files are untouched, its server finds its gems" do
      with_app("Gemfile" => GEMFILE, ".bundle/config" => OWN_SETTINGS) do |_, root|
        before = digest("#{root}/app")
        steps = []
        result = bundle(root).install { |step| steps << step }
        assert_equal [:ok, nil], [result.state, result.reason]
        assert_equal before, digest("#{root}/app")
        installing = "installing for #{ruby.name}: "
        assert_equal ["#{installing}served 1.5", "#{installing}tiny 1.0"],
                     steps.grep(/ of 2 gems/).map { |step| step[/\A.*(?= \()/] }.sort
        assert_match(/\A1\.0 -p 1 .*\bserved\b/, serve(bundle(root), root))
        assert_equal ["1.0", "1.5"], bundle(root).versions.values_at("tiny", "served")
        assert_predicate bundle(root), :ready?
        assert_equal 1, result.notes.size
      end
    end

    # In a shell with another Ruby, another bundle and a warning of every line.
    test "what a person runs beside it finds its Ruby, its gems and a secret" do
      with_app("Gemfile" => GEMFILE) do |_, root|
        bundle(root).install
        print = 'require "tiny"; print Gem.loaded_specs.keys.include?("tiny"), " ", ' \
                'RbConfig.ruby, " ", *ENV.values_at("RAILS_ENV", "SECRET_KEY_BASE")'
        shell = { "RUBYOPT" => "-w", "BUNDLE_GEMFILE" => "/none", "SECRET_KEY_BASE" => nil }
        said = lambda do |env|
          command = "#{bundle(root).wrapper} ruby -e #{Shell.quoted(print)}"
          IO.popen({ **shell, **env }, command, chdir: "#{root}/app", &:read)
        end

        found = "true #{RbConfig.ruby} production"
        assert_equal ["#{found}any", "#{found}mine"],
                     [said.call({}), said.call({ "SECRET_KEY_BASE" => "mine" })]
      end
    end

    test "a Ruby before 2.6, which has no Bundler of its own, gets one and serves" do
      old = Rubies.all(env: ENV.to_h.merge("XDG_CACHE_HOME" => SHARED)).select do |ruby|
        ruby.ok? && ruby.engine == "ruby" && ruby.gem_version < Gem::Version.new("2.6")
      end
      skip "no Ruby before 2.6 is installed" if old.empty?

      old.each do |ruby|
        with_app("Gemfile" => GEMFILE) do |_, root|
          share(root, ruby)
          one = bundle(root, ruby:)
          assert_nil one.install.reason, ruby.name
          assert_match(/\A1\.0 -p 1 .*\bserved\b/, serve(one, root, ruby), ruby.name)
        end
      end
    end

    # The files of a folder, over TLS, for those with a password.
    def with_gem_server(folder)
      server = TlsServer.new do |path, head|
        file = "#{folder}#{path}"
        body = File.file?(file) ? File.binread(file) : ""
        status = File.file?(file) ? "200 OK" : "404 Not Found"
        status = "401 Unauthorized" unless head.match?(/^authorization: Basic dTpw\r$/i) # u:p
        "HTTP/1.1 #{status}\r\ncontent-length: #{body.bytesize}\r\n\r\n#{body}"
      end
      yield server.port, server.trusted
    ensure
      server&.close
    end

    def without_openssl = Rubies::Ruby.new(**self.class.ruby.to_h, libcrypto: "").freeze

    test "a Ruby without OpenSSL gets its gems through mohs, from the sources that are locked" do
      with_app("Gemfile" => GEMFILE) do |_, root|
        with_gem_server("#{root}/repository") do |port, trusted|
          write("#{root}/app/Gemfile", GEMFILE.sub("SOURCE", "https://u:p@localhost:#{port}"))
          refused = bundle(root).install.reason # it does not trust the certificate
          one = bundle(root, ruby: without_openssl, env: trusted)

          assert_match(/certificate|SSL/i, refused.summary)
          assert_nil one.install.reason
          assert_equal ["1.0", "1.5"], one.versions.values_at("tiny", "served")
          assert_match(%r{^  remote: https://(?:u:p@)?localhost:#{port}/$},
                       File.read("#{one.folder}/Gemfile.lock"))
          assert_match(/\A1\.0 -p 1 /, serve(one, root))
        end
      end
    end

    test "a Ruby without OpenSSL is told which source needs credentials, by the user's settings" do
      with_app("Gemfile" => GEMFILE) do |_, root|
        with_gem_server("#{root}/repository") do |port, trusted|
          write("#{root}/app/Gemfile", GEMFILE.sub("SOURCE", "https://localhost:#{port}"))
          write("#{root}/app/.bundle/config",
                "---\nBUNDLE_SSL_CA_CERT: \"#{trusted.fetch('SSL_CERT_FILE')}\"\n")
          reason = bundle(root, ruby: without_openssl).install.reason

          assert_equal "localhost needs credentials", reason.summary
        end
      end
    end

    test "mohs' own RubyGems and Bundler settings do not reach the bundle" do
      with_app("Gemfile" => GEMFILE) do |_, root|
        ours = { "GEM_HOME" => "#{root}/none", "BUNDLE_GEMFILE" => "#{root}/none",
                 "RUBYOPT" => "-rnone", "BUNDLE_PATH" => "#{root}/no" }
        assert_equal [:ok, nil], bundle(root, env: ours).install.to_h.values_at(:state, :reason)
        refute_path_exists "#{root}/no"
      end
    end

    test "gems.rb with a gemspec, a gem in a folder and a Gemfile beside it" do
      gemspec = "Gem::Specification.new('NAME', '0.1') " \
                "{ |gem| gem.summary = gem.name; gem.authors = ['a'] }\n"
      files = { "gems.rb" => "source \"SOURCE\"\ngemspec\ngem \"local\", path: \"vendor/local\"\n" \
                             "eval_gemfile \"more.rb\"\n",
                "more.rb" => "gem \"tiny\"\n", "mine.gemspec" => gemspec.sub("NAME", "mine"),
                "vendor/local/local.gemspec" => gemspec.sub("NAME", "local") }
      with_app(files) do |_, root|
        assert_nil bundle(root).install.reason
        assert_match(/local.*mine.*served/, serve(bundle(root), root))
        write("#{root}/app/more.rb", "gem \"tiny\", \"1.0\"\n")
        refute_predicate bundle(root), :ready?, "a Gemfile that the Gemfile evaluates has changed"
        assert_nil bundle(root).install.reason
        write("#{root}/app/mine.gemspec", "#{gemspec.sub('NAME', 'mine')}# another\n")
        refute_predicate bundle(root), :ready?, "the gemspec has changed"
      end
    end

    test "the first gem that does not build ends the installation" do
      gemfile = "source \"SOURCE\"\ngem \"broken\"\ngem \"long\"\n"
      extensions = { "broken" => "sleep 2; abort 'no such header'", "long" => "sleep 300" }
      with_app("Gemfile" => gemfile) do |_, root, gems|
        extensions.each do |name, code|
          gems.add(name, "1.0", files: { "ext/extconf.rb" => code }) do |gem|
            gem.extensions = ["ext/extconf.rb"]
          end
        end
        started = Clock.mono_ns
        result = bundle(root).install

        assert_equal :failed, result.state
        assert_equal "gem_not_built", result.reason.code
        assert_match(/\Abroken-1\.0 /, result.reason.summary)
        assert_operator (Clock.mono_ns - started) / 1e9, :<, 200
      end
    end

    LOCK = <<~TEXT
      GEM
        remote: SOURCE/
        specs:
          tiny (VERSION)

      PLATFORMS
        arm64-darwin-22

      DEPENDENCIES
        tiny

      RUBY VERSION
         ruby 1.8.7p1

      BUNDLED WITH
         1.0.0
    TEXT

    test "locked versions stay locked, even if the lock is for another platform, Ruby or Bundler" do
      lock = LOCK.sub("VERSION", "1.0")
      with_app("Gemfile" => GEMFILE, "Gemfile.lock" => lock) do |_, root, gems|
        gems.add("tiny", "1.1", files: { "lib/tiny.rb" => "TINY = '1.1'\n" })
        before = digest("#{root}/app")
        assert_nil bundle(root).install.reason
        assert_equal "1.0", bundle(root).versions["tiny"]
        assert_equal before, digest("#{root}/app")
      end
    end

    test "a lock that this Ruby can't use is the reason, and is not resolved again" do
      with_app("Gemfile" => GEMFILE, "Gemfile.lock" => LOCK.sub("VERSION", "2.0")) do |_, root|
        result = bundle(root).install
        assert_equal :failed, result.state
        assert_match(/tiny/, result.reason.summary)
        assert_includes %w[gem_requires_ruby lock_does_not_fit], result.reason.code
        refute_predicate bundle(root), :ready?
      end
    end

    COMPILED = "File.write(File.join('MARK', 'compiled'), ''); abort 'too late'\n"
    # Two gems, of which one has an extension.
    TWO_LOCKED = LOCK.sub("  tiny (VERSION)", "  heavy (1.0)\n    tiny (2.0)")
                     .sub("  tiny\n\n", "  heavy\n  tiny\n\n").freeze

    test "a locked gem that needs another Ruby is found before anything is compiled" do
      files = { "Gemfile" => "#{GEMFILE}gem \"heavy\"\n", "Gemfile.lock" => TWO_LOCKED }
      with_app(files) do |_, root, gems|
        extension = { "ext/extconf.rb" => COMPILED.sub("MARK", root) }
        gems.add("heavy", "1.0", files: extension) do |gem|
          gem.extensions = ["ext/extconf.rb"]
        end
        result = bundle(root).install

        assert_equal :failed, result.state
        assert_equal "lock_does_not_fit", result.reason.code
        assert_match(/#{ruby.name}: tiny 2\.0 requires Ruby >= 99\z/, result.reason.summary)
        refute_path_exists "#{root}/compiled"
      end
    end

    test "a locked gem that is not installed may need any Ruby" do
      gemfile = "source \"SOURCE\"\ngem \"served\"\ngroup(:test) { gem \"tiny\" }\n"
      with_app("Gemfile" => gemfile, "Gemfile.lock" => LOCK.sub("VERSION", "2.0")) do |_, root|
        refute_match(/tiny 2\.0 requires/, bundle(root).install.reason.to_s)
      end
    end

    # An extension that compiles nothing, but leaves a line in a file each time.
    COUNTED = <<~RUBY
      File.write("MARK/compiled", "x\n", mode: "a")
      File.write("Makefile", "all:\n\ninstall:\n\nclean:\n")
    RUBY

    def counted(gems, root, *names)
      names.each do |name|
        files = { "ext/extconf.rb" => COUNTED.sub("MARK", root), "lib/#{name}.rb" => "" }
        gems.add(name, "1.0", files:) { |gem| gem.extensions = ["ext/extconf.rb"] }
      end
    end

    def compilations(root)
      path = "#{root}/compiled"
      File.file?(path) ? File.readlines(path).size : 0
    end

    # The application's own `bundle install`, or another command of its Bundler.
    def own_bundler(root, *words)
      rubygems = App::Bundle::OwnRubygems.new(ruby:, folder: SHARED)
      env = { "HOME" => root, "BUNDLE_PATH" => "vendor/bundle", **rubygems.env }
      command = Process::Command.new(argv: [ruby.path, "-S", "bundle", *words],
                                     chdir: "#{root}/app", env:)
      result = Process::Capture.call(command, timeout_s: 300)
      assert_predicate result, :success?, result.stdout + result.stderr
    end

    HEAVY = "source \"SOURCE\"\ngem \"tiny\"\ngem \"heavy\"\n"

    # An application that has installed its gems, one of them with an extension.
    def with_own_gems
      with_app("Gemfile" => HEAVY) do |_, root, gems|
        counted(gems, root, "heavy")
        own_bundler(root, "install")
        assert_equal 1, compilations(root)
        yield root
      end
    end

    test "gems that the application has installed for this Ruby are copied, not compiled again" do
      with_own_gems do |root|
        before = digest("#{root}/app")
        steps = []
        assert_nil bundle(root).install { |step| steps << step }.reason

        assert_equal [1, before], [compilations(root), digest("#{root}/app")]
        assert_includes steps, "installing for #{ruby.name}: copying 2 installed gems"
        FileUtils.rm_rf("#{root}/app/vendor")
        assert_match(/\A1\.0 -p 1 .*\bheavy\b/, serve(bundle(root), root))
      end
    end

    test "two Gemfiles of one application share what was compiled" do
      with_app("Gemfile" => HEAVY) do |_, root, gems|
        counted(gems, root, "heavy", "more")
        assert_nil bundle(root).install.reason
        write("#{root}/app/Gemfile", "#{File.read("#{root}/app/Gemfile")}gem \"more\"\n")
        assert_nil bundle(root).install.reason
        assert_equal 2, compilations(root)
      end
    end

    slow_test "what one application has installed does not become another's" do
      with_own_gems do |root|
        assert_nil bundle(root).install.reason
        write("#{root}/other/Gemfile", File.read("#{root}/app/Gemfile"))
        assert_nil bundle(root, dir: "#{root}/other").install.reason
        assert_equal 2, compilations(root)
      end
    end

    # A clone of the application, without what its own Bundler installed.
    def clone(root)
      %w[Gemfile Gemfile.lock].each do |name|
        write("#{root}/clone/#{name}", File.read("#{root}/app/#{name}"))
      end
      "#{root}/clone"
    end

    test "a second checkout with the same lock copies what the first has, and compiles nothing" do
      with_own_gems do |root|
        assert_nil bundle(root).install.reason
        steps = []
        assert_nil bundle(root, dir: clone(root)).install { |step| steps << step }.reason

        assert_equal 1, compilations(root)
        assert_includes steps, "installing for #{self.class.ruby.name}: copying 2 installed gems"
        FileUtils.rm_rf("#{root}/app/vendor")
        FileUtils.rm_rf(bundle(root).env.fetch("GEM_PATH"))
        assert_match(/\A1\.0 -p 1 .*\bheavy\b/, serve(bundle(root, dir: "#{root}/clone"), root))
      end
    end

    slow_test "a cache without the bundle of one checkout has that of the other, gems last" do
      with_own_gems do |root|
        bundles = ["#{root}/app", clone(root)].map { |dir| bundle(root, dir:) }
        bundles.each { |one| assert_nil one.install.reason }
        caches = -> { Caches.new("#{root}/cache", scratch: []) }
        kinds = ->(*kinds) { caches.call.entries.select { |one| kinds.include?(one.kind) } }

        first = kinds.call("bundles").select { |one| one.path == bundles.first.folder }
        assert_equal first, caches.call.remove(first + kinds.call("gems"))
        assert_match(/\A1\.0 /, serve(bundle(root, dir: "#{root}/clone"), root))
        assert_equal %w[bundles gems], caches.call.remove(kinds.call("bundles", "gems")).map(&:kind)
        refute_path_exists bundles.last.env.fetch("GEM_PATH")
      end
    end

    slow_test "a gem that somebody has changed in the first checkout is installed for the second" do
      with_own_gems do |root|
        Dir.glob("#{root}/app/vendor/bundle/**/gems/tiny-1.0/lib/tiny.rb") do |path|
          File.write(path, "TINY = 'changed'\n")
        end
        assert_nil bundle(root).install.reason
        assert_nil bundle(root, dir: clone(root)).install.reason

        assert_match(/\Achanged /, serve(bundle(root), root))
        assert_match(/\A1\.0 /, serve(bundle(root, dir: "#{root}/clone"), root))
        assert_equal 1, compilations(root)
      end
    end

    test "a gem that comes compiled for this machine is known before it is installed" do
      with_app("Gemfile" => "#{GEMFILE}gem \"fast\"\n") do |_, root, gems|
        gems.add("fast", "1.0")
        gems.add("fast", "1.0") { |gem| gem.platform = "#{RbConfig::CONFIG['host_cpu']}-linux" }
        one = bundle(root)
        assert_nil one.resolve.reason
        assert_equal %w[fast], one.outstanding.fetch(:precompiled)
        assert_operator one.outstanding.fetch(:fetch).size, :>, 1
      end
    end

    test "a server in the development group is available, other gems in it are not" do
      gemfile = "source \"SOURCE\"\ngem \"tiny\"\n" \
                "group(:development) { gem \"served\" ; gem \"only_here\" }\n"
      with_app("Gemfile" => gemfile) do |_, root, gems|
        gems.add("only_here", "1.0")
        assert_nil bundle(root).install.reason
        assert_equal ["1.5", nil], bundle(root).versions.values_at("served", "only_here")
      end
    end

    # A gem that is needed by nobody but a group, and builds nowhere.
    def unbuildable(gems, name)
      gems.add(name, "1.0", files: { "ext/extconf.rb" => "abort 'no such library'\n" }) do |gem|
        gem.extensions = ["ext/extconf.rb"]
      end
    end

    GROUPED = "source \"SOURCE\"\ngem \"tiny\"\ngroup(:mysql) { gem \"ours\" }\n" \
              "group(:spare, optional: true) { gem \"spare\" }\n"

    # Files and variables in which a group can be left out.
    WITHOUT = {
      "the application's settings" =>
        [{ ".bundle/config" => "BUNDLE_WITHOUT: \"mysql:development\"\n" }, {}],
      "the user's settings" => [{ "../.bundle/config" => "BUNDLE_WITHOUT: mysql\n" \
                                                         "BUNDLE_DEPLOYMENT: \"true\"\n" }, {}],
      "the environment" => [{}, { "BUNDLE_WITHOUT" => "mysql" }],
    }.freeze

    WITHOUT.each do |where, (files, env)|
      test "a group that #{where} leave out is not installed, nor are optional groups" do
        with_app("Gemfile" => GROUPED, **files) do |_, root, gems|
          %w[ours spare].each { |name| unbuildable(gems, name) }
          one = bundle(root, env:)
          assert_nil one.resolve.reason
          assert_equal %w[served tiny], one.outstanding.fetch(:fetch).sort
          assert_nil one.install.reason
          assert_match(/\A1\.0 -p 1 /, serve(bundle(root, env:), root))
        end
      end
    end

    test "a group that the application has left out by its own Bundler is not installed" do
      with_app("Gemfile" => GROUPED) do |_, root, gems|
        %w[ours spare].each { |name| unbuildable(gems, name) }
        own_bundler(root, "config", "set", "--local", "without", "mysql")
        own_bundler(root, "install")
        assert_path_exists "#{root}/app/Gemfile.lock"

        assert_nil bundle(root).install.reason
        assert_equal [nil, "1.0"], bundle(root).versions.values_at("ours", "tiny")
      end
    end

    test "an optional group that the application asks for is installed" do
      with_app("Gemfile" => GROUPED, ".bundle/config" => "BUNDLE_WITH: spare\n") do |_, root, gems|
        %w[ours spare].each { |name| gems.add(name, "1.0") }
        assert_nil bundle(root).install.reason
        assert_equal %w[1.0 1.0], bundle(root).versions.values_at("ours", "spare")
      end
    end

    slow_test "an extension is built with the user's flags, and again with others" do
      code = "File.write('MARK/flags', ARGV.join(' ') + \"\\n\", mode: 'a')\n" \
             "File.write('Makefile', \"all:\\n\\ninstall:\\n\\nclean:\\n\")\n"
      with_app("Gemfile" => HEAVY) do |_, root, gems|
        gems.add("heavy", "1.0", files: { "ext/extconf.rb" => code.sub("MARK", root) }) do |gem|
          gem.extensions = ["ext/extconf.rb"]
        end
        assert_nil bundle(root).install.reason
        write("#{root}/.bundle/config", "BUNDLE_BUILD__HEAVY: \"--with-x\"\n")
        2.times { assert_nil bundle(root).install.reason }
        write("#{root}/app/.bundle/config", "BUNDLE_BUILD__HEAVY: \"--with-y\"\n")
        assert_nil bundle(root).install.reason

        assert_equal ["", "--with-x", "--with-y"], File.readlines("#{root}/flags", chomp: true)
      end
    end

    test "a gem that does not build is the reason, with the last lines of the log" do
      with_app("Gemfile" => "#{GEMFILE}gem \"needy\"\n") do |_, root, gems|
        extconf = "puts 'checking for pg_config... no'; abort 'needs PostgreSQL'\n"
        gems.add("needy", "1.5.9", files: { "ext/extconf.rb" => extconf }) do |gem|
          gem.extensions = ["ext/extconf.rb"]
        end
        result = bundle(root).install
        assert_equal ["gem_not_built", "apt-get install libpq-dev"],
                     [result.reason.code, result.reason.remedy]
        assert_match(/\Aneedy-1\.5\.9 does not build: pg_config not found\z/, result.reason.summary)
        assert_includes result.log_tail, "needy"
      end
    end

    test "a gem that can't be found and a broken Gemfile are reasons" do
      with_app("Gemfile" => "source \"SOURCE\"\ngem \"nope\"\n") do |_, root|
        assert_match(/nope/, bundle(root).install.reason.summary)
        write("#{root}/app/Gemfile", "gme \"tiny\"\n")
        reason = bundle(root).install.reason
        assert_equal "gemfile_broken", reason.code
        assert_includes reason.summary, "gme"
      end
    end

    test "what the Gemfile names outside a folder that was sent is said to be there" do
      with_app("Gemfile" => "source \"SOURCE\"\neval_gemfile \"../posts/Gemfile\"\n") do |_, root|
        here, sent = [{}, { packed: true }].map { |given| bundle(root, **given).install.reason }

        assert_equal "gemfile_path_missing", here.code
        assert_includes here.summary, "#{root}/posts/Gemfile"
        assert_equal here, Reason.new(**sent.to_h, remedy: nil)
        assert_match(/outside .*--in-place/, sent.remedy)
      end
    end

    test "two installations into one store wait for each other" do
      with_app("Gemfile" => GEMFILE) do |_, root|
        steps = Queue.new
        threads = Array.new(2) { Thread.new { bundle(root).install { |step| steps << step } } }
        results = threads.map(&:value)
        assert_equal %i[ok ok], results.map(&:state)
        report = Array.new(steps.size) { steps.pop }
        assert_equal 1, report.count { |step| step.include?(": served 1.5 ") }
        # One line a second, and one more if the first came before the holder had written its name.
        waits = report.grep(/waiting .*another mohs/)
        assert_operator waits.size, :>=, 1
        assert_equal waits.uniq, waits
      end
    end
  end
end
