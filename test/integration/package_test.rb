# frozen_string_literal: true

require "test_helper"
require "json"

# The gem as a person gets it: built, installed where nothing is, run from a folder that is not
# ours. Its dependencies come from the checkout's own bundle, so no network is needed.
class PackageTest < Mohs::TestCase
  DEPENDENCIES = %w[bigdecimal nio4r puma rack roda sequel sqlite3 zeitwerk].freeze
  LIMIT_S = 300

  HOLDS = %w[
    exe/mohs lib/mohs.rb lib/mohs/inside/attest.rb ext/mohs/extconf.rb apps/hello/checks.yml
    apps/posts/config/routes.rb CHANGELOG.md LICENSE README.md
  ].freeze
  STRAY = %r{\A(?:test|vendor|tmp|bin|benchmark)/|\.(?:so|o|log|sqlite3)\z|Gemfile\.lock\z}

  def run_command(*argv, chdir: Dir.pwd, env: {})
    command = Mohs::Process::Command.new(argv:, env:, chdir:)
    result = Mohs::Process::Capture.call(command, timeout_s: LIMIT_S)

    assert_predicate result, :success?, "#{argv.join(' ')}\n#{result.stdout}#{result.stderr}"
    result.stdout
  end

  def cached_gems
    cache = Dir[File.join(Mohs.root, "vendor/bundle/ruby/*/cache")].first
    DEPENDENCIES.map { |name| Dir[File.join(cache, "#{name}-*.gem")].first }
  end

  # Runs the installed command as from a shell whose GEM_HOME is that folder.
  def mohs(home, *arguments, chdir:)
    command = [RbConfig.ruby, File.join(home, "bin/mohs"), *arguments]
    run_command(*command, chdir:, env: environment(home))
  end

  def environment(home)
    { "GEM_HOME" => home, "GEM_PATH" => home, "XDG_DATA_HOME" => File.join(home, "data"),
      "XDG_CACHE_HOME" => File.join(Mohs.root, "tmp/test-cache") }
  end

  slow_test "the gem installs into an empty GEM_HOME and runs from any folder" do
    with_files do |folder|
      home = File.join(folder, "home")
      elsewhere = File.join(folder, "elsewhere")
      Dir.mkdir(elsewhere)
      gem = File.join(folder, "mohs.gem")
      run_command("gem", "build", "mohs.gemspec", "--output", gem, chdir: Mohs.root)
      FileUtils.cp(cached_gems, folder) # where --local looks for dependencies
      run_command("gem", "install", "--local", "--no-document", "--install-dir", home, gem,
                  chdir: folder, env: { "GEM_HOME" => home, "GEM_PATH" => home })

      assert_equal "mohs #{Mohs::VERSION}\n", mohs(home, "--version", chdir: elsewhere)
      rubies = JSON.parse(mohs(home, "rubies", "--json", chdir: elsewhere)).fetch("rubies")
      paths = rubies.map { |ruby| File.realpath(ruby["path"]) }

      assert_includes paths, File.realpath(RbConfig.ruby)
      assert_includes mohs(home, "help", chdir: elsewhere), "mohs rubies"
      assert_empty Dir.children(elsewhere)
    end
  end

  test "the gem holds what runs and nothing else" do
    files = Gem::Specification.load(File.join(Mohs.root, "mohs.gemspec")).files

    assert_empty HOLDS - files
    assert_empty files.grep(STRAY)
    assert_empty(files.reject { |path| File.file?(File.join(Mohs.root, path)) })
  end
end
