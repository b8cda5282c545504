# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class FetchedVariablesTest < TestCase
      FILES = {
        "config/application.rb" => <<~RUBY,
          primary_key = ENV.fetch("FIRST_KEY")
          salt = ENV.fetch( 'SALT' ) or raise
          ENV.fetch("PORT", 3000)
          ENV.fetch("HOST") { "localhost" }
          ENV.fetch("ZONE") do "UTC" end
          # ENV.fetch("COMMENTED")
        RUBY
        "config/environments/production.rb" => "x = ENV.fetch('MAIL')\nENV.fetch('FIRST_KEY')",
        "config/environments/test.rb" => "ENV.fetch('ONLY_IN_TEST')",
        "config/puma.rb" => "ENV.fetch('UNREAD')",
        "lib/other.rb" => "ENV.fetch('OTHER')",
      }.freeze

      def completed(code: "variable_missing", env: {})
        reason = Reason.new(summary: "it needs the variable FIRST_KEY", code:,
                            remedy: "--env FIRST_KEY=...", values: { variable: "FIRST_KEY" })
        in_files(FILES) { |dir| FetchedVariables.complete(reason, dir:, env:) }
      end

      test "a file that can't be read names none" do
        in_files(FILES) do |dir|
          FileUtils.mkdir_p(File.join(dir, "config/initializers"))
          File.symlink("gone.rb", File.join(dir, "config/initializers/a.rb"))

          assert_includes FetchedVariables.names(dir), "SALT"
        end
      end

      def in_files(files)
        Dir.mktmpdir do |dir|
          files.each do |path, text|
            FileUtils.mkdir_p(File.dirname(file = File.join(dir, path)))
            File.write(file, text)
          end
          yield dir
        end
      end

      test "one that is missing is named with the others that have no default" do
        reason = completed

        assert_equal "variable_missing", reason.code
        assert_match(/\A--env FIRST_KEY=\.\.\. .*--env SALT=\.\.\. --env MAIL=\.\.\.\)\z/m,
                     reason.remedy)
        refute_match(/PORT|HOST|ZONE|COMMENTED|ONLY_IN_TEST|UNREAD|OTHER/, reason.remedy)
      end

      test "those that are set are not" do
        refute_includes completed(env: { "SALT" => "1" }).remedy, "SALT"
        assert_equal "--env FIRST_KEY=...", completed(env: { "SALT" => "1", "MAIL" => "" }).remedy
      end

      test "any other reason stays as it is" do
        assert_equal "--env FIRST_KEY=...", completed(code: "secret_missing").remedy
        assert_nil FetchedVariables.complete(nil, dir: "/nowhere", env: {})
      end
    end
  end
end
