# frozen_string_literal: true

require "test_helper"
require "sqlite3"

# apps/forum under the members of its own scenario.
class ForumAppTest < Mohs::TestCase
  APP = File.join(Mohs.root, "apps/forum")
  # Where its first boot makes the data of which each server has a copy.
  SEEDED = File.join(ENV.fetch("TMPDIR"), "forum-cache")
  SCENARIO = Mohs::Load::Scenario::File.load(File.join(APP, "scenario.yml"))

  # Yields its port, and a way to ask SQLite about its data.
  def boot(env: {}, **options)
    Dir.mktmpdir("mohs-test") do |folder|
      ruby = Mohs::Rubies.find(RbConfig.ruby)
      env = { "XDG_CACHE_HOME" => SEEDED, "TMPDIR" => folder, **env }
      process = Mohs::AppProcess.new(dir: APP, ruby:, env:, processes: 2, **options)
      process.run(folder) { |port, child| yield port, folder, child }
    end
  end

  def follow(port, count:, connections: 3)
    target = Mohs::Load::Target.new(name: "forum", host: "127.0.0.1", port:, connections:,
                                    scenario: SCENARIO)
    driver = Mohs::Drivers::Native.new(targets: [target], seed: 7)
    redact = Mohs::Secrets::Redaction.new([])
    Mohs::Load::Login.new(driver, SCENARIO, redact:).call
    result = driver.run([Mohs::Load::Step.new(count:)]).first
    [result, sent(driver.recording(0))]
  ensure
    driver&.close
  end

  # { "POST /topics" => how many }
  def sent(recording)
    SCENARIO.steps.each_with_index.to_h do |step, number|
      [step.to_s, recording.of_request(number).size]
    end
  end

  def counted(folder)
    path = Dir[File.join(folder, "forum-*.sqlite3")].first
    database = SQLite3::Database.new(path)
    %w[topics posts].to_h do |table|
      [table, database.get_first_value("SELECT count(*) FROM #{table}")]
    end
  ensure
    database&.close
  end

  { "Gemfile" => :test, "Gemfile.later" => :slow_test,
    "Gemfile.rails61" => :slow_test }.each do |gemfile, kind|
    send kind, "members of the forum log in, read and write, and it keeps all (#{gemfile})" do
      boot(gemfile:) do |port, folder, child|
        before = counted(folder)
        result, sent = follow(port, count: 150)
        posted = counted(folder).to_h { |table, count| [table, count - before[table]] }

        assert_equal [{}, 150], [result.errors, result.finished], child.log_tail(20)
        assert_operator sent.fetch("POST /topics"), :>, 0
        opened = sent.fetch("POST /topics")
        assert_equal({ "topics" => opened,
                       "posts" => opened + sent.fetch("POST /topics/{topic}/posts") }, posted)
      end
    end
  end

  slow_test "who has not logged in, or has no token, writes nothing" do
    boot do |port, folder, _child|
      http = Mohs::Http::Client.new(port:)
      before = counted(folder)
      statuses = { "/topics/new" => "get", "/topics" => "post", "/topics/1/posts" => "post" }
                 .map do |path, method|
        http.ask(Mohs::App::Request.build(method:, path:)).status
      end

      assert_equal [302, 422, 422], statuses
      assert_equal before, counted(folder)
    end
  end

  slow_test "each server writes to a copy, and all copies begin alike" do
    Dir.mktmpdir("mohs-test") do |cache|
      env = { "XDG_CACHE_HOME" => cache }
      seeded = File.join(cache, "mohs", "forum-1.sqlite3")
      fresh = boot(env:) do |port, _folder, _child|
        follow(port, count: 60)
        File.binread(seeded)
      end
      boot(env:) do |_port, folder, _child|
        assert_equal({ "topics" => 400, "posts" => 6265 }, counted(folder))
      end
      assert_equal fresh, File.binread(seeded)
      assert_equal ["forum-1.sqlite3"], Dir.children(File.dirname(seeded))
    end
  end
end
