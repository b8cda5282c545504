# frozen_string_literal: true

require "test_helper"

# How the names of a variant become an application, a Ruby and a bundle; nothing is installed.
class TrialSetupsTest < Mohs::TestCase
  # One Ruby, whatever it is called.
  class Rubies
    include Mohs::RubyFacts

    def find(_name, env:) = env && ruby
  end

  def with_shop
    with_files do |dir|
      theirs = Mohs::GitRepository.new("#{dir}/shop")
      commit = theirs.commit("config.ru" => "one", "Gemfile" => "gem 'roda'",
                             "Gemfile.next" => "gem 'cuba'")
      theirs.write("config.ru" => "two")
      @setups = Mohs::Trial::Setups.new(env: { "XDG_CACHE_HOME" => "#{dir}/cache", "HOME" => dir },
                                        rubies: Rubies.new)
      @dir = theirs.dir
      yield({ typed: "@main", commit: })
    end
  end

  def resolve(**origin)
    variant = Mohs::Study::Variant.new(name: "it", ruby: "3.4.5", server: "puma", processes: 1,
                                       threads: 5, **origin)
    study = Mohs::Study.new(app: @dir, requests: [], variants: [variant], baseline: "it", env: {})
    @setups.for(study, variant)
  end

  test "the folder as it is, or the commit" do
    with_shop do |revision|
      plain, at = resolve, resolve(revision:)

      assert_equal %w[two one], ([plain, at].map { |one| File.read("#{one.app.dir}/config.ru") })
      assert_equal [@dir, "shop"], [plain.app.dir, at.app.name]
      note = at.notes.find { |finding| finding.code == "checked_out" }
      assert_equal ["@main", revision[:commit][0, 12]], note.values.values_at(:typed, :commit)
    end
  end

  test "a front's gem is in the bundle of its variants, and those that need the same gems share" do
    with_shop do
      plain, nginx, thruster = [nil, "nginx", "thruster"].map { |front| resolve(front:).bundle }

      assert_same plain, nginx
      refute_equal plain.folder, thruster.folder
    end
  end

  test "a server is started in the checkout, under the configuration that is named" do
    with_shop do |revision|
      at = resolve(revision:, config: "config/big.rb", processes: nil, threads: nil)
      bind = Mohs::Servers::Bind.new(host: "127.0.0.1", port: 20_001)
      launch = at.launch(bind, "/scratch")

      assert_equal %w[-C config/big.rb], launch.args.first(2)
      assert_nil launch.expected_processes
      def (at.bundle).executable(name) = "/bin/#{name}"
      def (at.bundle).env = {}
      command = at.command(launch, "/scratch")
      assert_equal at.app.dir, command.chdir
      refute_includes command.env, "RAILS_MAX_THREADS"
    end
  end

  test "each application and Gemfile has a bundle of its own" do
    with_shop do |revision|
      gemfile = "Gemfile.next"
      origins = [{}, { revision: }, { gemfile: }, { revision:, gemfile: }]
      setups = origins.map { |origin| resolve(**origin) }

      texts = setups.map { |one| File.read(one.app.gemfile)[/roda|cuba/] }
      assert_equal %w[roda roda cuba cuba], texts
      assert_equal 4, setups.map { |one| one.bundle.folder }.uniq.size
      same = resolve(revision: { **revision, typed: "@HEAD" })
      assert_equal setups[1].bundle.folder, same.bundle.folder
    end
  end

  test "an application is looked at once" do
    with_shop do |revision|
      first = resolve(revision:).app
      File.write("#{@dir}/.env", "A=1")

      assert_same first, resolve(revision:).app
    end
  end
end
