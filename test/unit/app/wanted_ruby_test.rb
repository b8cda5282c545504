# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class WantedRubyTest < TestCase
      {
        ".ruby-version as numbers" => [{ ruby_version: "3.4.5\n" }, ["3.4.5", ".ruby-version"]],
        ".ruby-version of ruby-build" => [{ ruby_version: "ruby-3.3.8" },
                                          ["3.3.8", ".ruby-version"]],
        ".ruby-version of JRuby" => [{ ruby_version: "jruby-9.4.14.0" },
                                     ["jruby-9.4.14.0", ".ruby-version"]],
        ".tool-versions" => [{ tool_versions: "nodejs 22\nruby 3.2.2\n" },
                             ["3.2.2", ".tool-versions"]],
        "mise.toml" => [{ mise: "[tools]\nruby = \"3.3\"\n" }, ["3.3", "mise.toml"]],
        "a Gemfile" => [{ gemfile: "ruby \"3.1.2\"\n" }, ["3.1.2", "Gemfile"]],
        "a Gemfile with two digits" => [{ gemfile: "ruby '3.1'\n" }, ["3.1", "Gemfile"]],
        "a Gemfile for an engine" => [
          { gemfile: "ruby '3.1.4', engine: 'jruby', engine_version: '9.4.14.0'\n" }, [
            "jruby-9.4.14.0", "Gemfile"],
        ],
        "a lock" => [{ lock: "RUBY VERSION\n   ruby 3.3.8p144\n" }, ["3.3.8", "Gemfile.lock"]],
        "a lock of an engine" => [
          { lock: "RUBY VERSION\n   ruby 3.1.4p0 (jruby 9.4.14.0)\n" },
          ["jruby-9.4.14.0", "Gemfile.lock"],
        ],
        "a requirement, which names none" => [{ gemfile: "ruby \">= 3.1\"\n" }, [nil, nil]],
        "a file that names a Gemfile's file" => [{ gemfile: "ruby file: '.ruby-version'\n" },
                                                 [nil, nil]],
        "the system's" => [{ ruby_version: "system\n" }, [nil, nil]],
        "nothing" => [{}, [nil, nil]],
      }.each do |what, (texts, expected)|
        test "reads #{what}" do
          assert_equal expected, WantedRuby.find(**texts)
        end
      end

      test "the version manager's file comes before the Gemfile" do
        found = WantedRuby.find(ruby_version: "3.4.5", gemfile: "ruby \"3.1.2\"")

        assert_equal ["3.4.5", ".ruby-version"], found
      end
    end
  end
end
