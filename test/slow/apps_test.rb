# frozen_string_literal: true

require "test_helper"

# The bundled applications under every Ruby of this machine: each boots them and answers as
# checks.yml demands. The first run installs (TruffleRuby compiles for minutes); what is installed
# stays in tmp/.
class EveryRubyTest < Mohs::TestCase
  LIMIT_S = 300
  APPS = [["hello"], ["posts"], ["posts", "Gemfile.newest"]].freeze

  # What a Rails application has that was not written for JRuby; rdoc brings psych.
  FOREIGN = <<~RUBY
    gem "sqlite3", "~> 1.4"
    gem "rdoc", "~> 7.2"
  RUBY
  PLATFORMS = /^platforms.*?^end\n/m

  def serve(ruby, dir, **options)
    Dir.mktmpdir("mohs-test") do |folder|
      env = { "POSTS_DATABASE" => File.join(folder, "posts.sqlite3") }
      process = Mohs::AppProcess.new(dir:, ruby:, env:, **options)
      process.run(folder, limit_s: LIMIT_S) do |port, _child|
        http = Mohs::Http::Client.new(port:, timeout_s: LIMIT_S)
        answers = Mohs::App::ResponseLearner.new(http)

        assert_nil answers.verify(process.app.checks)
        assert_equal([:body], answers.learn(process.app.default_requests).map(&:kind))
      end
      yield process.bundle if block_given?
    end
  end

  rubies = Mohs::Rubies.all.select(&:ok?)
  rubies.product(APPS).each do |ruby, (name, gemfile)|
    test [ruby.name, "serves", name, *gemfile].join(" ") do
      serve(ruby, File.join(Mohs.root, "apps", name), gemfile:)
    end
  end

  # Its gems bring json, of which Bundler takes the newest that nothing forbids.
  test "posts serves under Falcon" do
    ruby = rubies.select { |one| one.engine == "ruby" }.max_by { |one| Gem::Version.new(one.version) }

    serve(ruby, File.join(Mohs.root, "apps/posts"), server: Mohs::Servers::Falcon)
  end

  rubies.select { |ruby| ruby.engine == "jruby" }.each do |ruby|
    test "#{ruby.name} serves a Rails application that names a driver in C and brings psych" do
      Dir.mktmpdir("mohs-test") do |folder|
        FileUtils.cp_r(File.join(Mohs.root, "apps/posts/."), folder)
        gemfile = File.join(folder, "Gemfile")
        File.write(gemfile, File.read(gemfile).gsub(PLATFORMS, "") + FOREIGN)

        serve(ruby, folder) do |bundle|
          own = Mohs::Rubies::Engines.of(ruby).gem_limits.fetch("psych")
          assert_equal own, "= #{bundle.versions.fetch('psych')}"
          assert_equal %w[gem_substituted], bundle.notes.map(&:code)
        end
      end
    end
  end
end
