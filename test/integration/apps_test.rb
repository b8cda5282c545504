# frozen_string_literal: true

require "test_helper"

# The bundled applications, booted under the Ruby that runs the tests. The forum, which fills a
# database at each first boot, is in apps/forum_test.rb too.
class AppsTest < Mohs::TestCase
  # Those whose gems take long to install.
  LARGE = ["rsb on Rails", "triage", "forum", "threads", "malloc-trim/trimmed",
           "jruby-servers-2012/one_file"].freeze

  def boot(dir, **options)
    Dir.mktmpdir("mohs-test") do |folder|
      env = { "POSTS_DATABASE" => File.join(folder, "posts.sqlite3"),
              "FORUM_DATABASE" => File.join(folder, "forum.sqlite3"), **options.delete(:env).to_h }
      process = Mohs::AppProcess.new(dir:, ruby: Mohs::Rubies.find(RbConfig.ruby), env:, **options)
      process.run(folder) { |port, child| yield Mohs::Http::Client.new(port:), process.app, child }
    end
  end

  def bundled(name) = File.join(Mohs.root, "apps", name)

  { "hello" => {}, "rsb" => {}, "rsb on Rails" => { "FRAMEWORK" => "rails" }, "primes" => {},
    "posts" => {}, "messages" => {}, "triage" => {}, "objects" => {}, "micro" => {},
    "forum" => {}, "threads" => {},
    "testers" => { "TESTER" => "ruby", "REQUESTS" => "320" },
    "testers on mohs's driver" => { "TESTER" => "native", "REQUESTS" => "320" } }
    .each do |name, env|
    kind = LARGE.include?(name) ? :slow_test : :test
    send kind, "#{name} passes its own checks and answers the same each time" do
      boot(bundled(name[/\w+/]), env:) do |http, app, child|
        answers = Mohs::App::ResponseLearner.new(http)

        assert_nil answers.verify(app.checks)
        learned = answers.learn(app.default_requests)

        assert_equal [[200, :body, nil]],
                     learned.map { |answer| answer.to_h.values_at(:status, :kind, :note) }
        refute_match(/error|warn/i, child.log_tail(100))
      end
    end
  end

  { "keep-alive/closing" => { "CLOSED_BY" => "server" },
    "malloc-trim/trimmed" => { "TRIM" => "full" },
    "jruby-servers-2012/one_file" => {} }.each do |path, env|
    kind = LARGE.include?(path) ? :slow_test : :test
    send kind, "#{path} of a study passes its own checks" do
      boot(File.join(Mohs.root, "studies", path), env:) do |http, app, _child|
        assert_nil Mohs::App::ResponseLearner.new(http).verify(app.checks)
      end
    end
  end

  %w[posts forum].each do |name|
    kind = LARGE.include?(name) ? :slow_test : :test
    send kind, "threads serves #{name} as it is" do
      checks = Mohs::App::Folder.load(bundled(name)).checks
      boot(bundled("threads"), env: { "APPLICATION" => name }) do |http, _app, _child|
        assert_operator checks.size, :>, 2
        assert_nil Mohs::App::ResponseLearner.new(http).verify(checks)
      end
    end
  end

  test "malloc-trim gives memory back after full marks, or after every collection, and ends" do
    trim = File.join(Mohs.root, "studies/malloc-trim/trimmed/trim.rb")
    script = <<~RUBY
      Thread.new { Trim.after(ARGV.first) }.join
      first = GC.count
      2.times { GC.start }
      300_000.times { "a string that is too long to be embedded" * 2 }
      2.times { GC.start }
      print GC.count - first, " ", Trim.calls
    RUBY
    full, every = %w[full every].map do |collections|
      command = [RbConfig.ruby, "-r", trim, "-e", script, collections]
      IO.popen(command, &:read).split.map(&:to_i)
    end

    assert_includes 3..8, full.last, full
    assert_operator every.last, :>, every.first / 2, every
  end

  test "primes costs more the more primes it sums" do
    boot(bundled("primes")) do |http, _app, _child|
      sums = [1, 2, 3, 168].map { |n| http.ask(Mohs::App::Request.build(path: "/?count=#{n}")).body.to_i }

      assert_equal [2, 5, 10, 76_127], sums
    end
  end

  slow_test "posts makes its database where several processes boot at once, and once only" do
    Dir.mktmpdir("mohs-test") do |folder|
      database = File.join(folder, "deep", "posts.sqlite3")
      2.times do
        boot(bundled("posts"), processes: 4,
                               env: { "POSTS_DATABASE" => database }) do |http, app, _child|
          assert_nil Mohs::App::ResponseLearner.new(http).verify(app.checks)
        end
      end

      assert_equal ["posts.sqlite3"], Dir.children(File.dirname(database))
    end
  end

  slow_test "posts fills a PostgreSQL where several processes boot at once, and once only" do
    refusal = Mohs::Services.fetch("postgresql").refusal
    skip refusal.to_s if refusal

    Mohs::Trial::ServiceData.with do |data|
      set = data.start(Mohs::ServiceSetup.new(services: %w[postgresql]), cpus: nil)
      2.times do
        boot(bundled("posts"), processes: 4, env: set.env) do |http, app, _child|
          assert_nil Mohs::App::ResponseLearner.new(http).verify(app.checks)
        end
      end
    ensure
      set&.stop
    end
  end

  slow_test "posts needs nothing of its own folder to be writable" do
    Dir.mktmpdir("mohs-test") do |folder|
      FileUtils.cp_r(bundled("posts"), folder)
      copy = File.join(folder, "posts")
      before = Dir[File.join(copy, "**", "*")].sort
      boot(copy) { |http, app, _child| assert_nil Mohs::App::ResponseLearner.new(http).verify(app.checks) }

      assert_equal before, Dir[File.join(copy, "**", "*")].sort
    end
  end
end
