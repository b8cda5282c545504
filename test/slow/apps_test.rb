# frozen_string_literal: true

require "test_helper"

# The bundled applications under every Ruby of this machine: each boots them and answers as
# checks.yml demands. The first run installs (TruffleRuby compiles for minutes); what is installed
# stays in tmp/.
class EveryRubyTest < Mohs::TestCase
  LIMIT_S = 300

  Mohs::Rubies.all.select(&:ok?).product(%w[hello posts]).each do |ruby, name|
    test "#{ruby.name} serves #{name}" do
      Dir.mktmpdir("mohs-test") do |folder|
        env = { "POSTS_DATABASE" => File.join(folder, "posts.sqlite3") }
        process = Mohs::AppProcess.new(dir: File.join(Mohs.root, "apps", name), ruby:, env:)
        process.run(folder, limit_s: LIMIT_S) do |port, _child|
          http = Mohs::Http::Client.new(port:, timeout_s: LIMIT_S)
          answers = Mohs::App::ResponseLearner.new(http)

          assert_nil answers.verify(process.app.checks)
          assert_equal([:body], answers.learn(process.app.default_requests).map(&:kind))
        end
      end
    end
  end
end
