# frozen_string_literal: true

require "test_helper"

module Mohs
  class FindersTest < TestCase
    # Per finder: an environment ("ROOT" stands for the folder made for the test) and the
    # executables that it then finds.
    PLACES = {
      "path" => [{ "PATH" => "ROOT/a:relative:ROOT/shims:ROOT/b:/nowhere" },
                 %w[a/jruby a/ruby a/ruby3.1 b/ruby-3.4.5],
                   %w[a/rubycritic shims/ruby a/ruby-build]],
      "rbenv" => [{ "HOME" => "ROOT", "RBENV_ROOT" => "ROOT/env" },
                  %w[.rbenv/versions/3.4.5/bin/ruby env/versions/2.7.4/bin/ruby],
                    %w[.rbenv/versions/3.4.5/bin/rake]],
      "asdf" => [{ "HOME" => "ROOT", "ASDF_DATA_DIR" => "ROOT/data" },
                 %w[.asdf/installs/ruby/3.4.5/bin/ruby data/installs/ruby/3.1.2/bin/ruby],
                   %w[.asdf/shims/ruby]],
      "mise" => [{ "HOME" => "ROOT" }, %w[.local/share/mise/installs/ruby/3.4.5/bin/ruby],
                 %w[.local/share/mise/shims/ruby]],
      "rvm" => [{ "HOME" => "ROOT", "rvm_path" => "ROOT/rvm" },
                %w[.rvm/rubies/ruby-3.4.5/bin/ruby rvm/rubies/jruby-9.4/bin/ruby],
                  %w[.rvm/bin/ruby]],
      "chruby" => [{ "HOME" => "ROOT", "PREFIX" => "ROOT/prefix" },
                   %w[.rubies/ruby-3.4.5/bin/ruby prefix/opt/rubies/jruby-9.4/bin/ruby],
                     %w[.rubies/ruby-3.4.5/lib/ruby]],
    }.freeze

    def with_executables(paths)
      with_files(paths.to_h { |path| [path, "#!/bin/sh\n"] }) do |root|
        paths.each { |path| File.chmod(0o755, "#{root}/#{path}") }
        yield root
      end
    end

    def found(finder, env, root)
      filled = env.transform_values { |value| value.gsub("ROOT", root) }
      Rubies::Finders.fetch(finder).candidates(filled).filter_map do |path|
        path.delete_prefix("#{root}/") if path.start_with?(root)
      end
    end

    test "every finder has its places here" do
      assert_equal Rubies::Finders.names, PLACES.keys.sort
    end

    PLACES.each do |finder, (env, there, others)|
      test "#{finder} finds the executables in its places and nothing else" do
        with_executables(there + others) do |root|
          assert_equal there.sort, found(finder, env, root).sort
        end
      end

      test "#{finder} leaves out what cannot be executed" do
        with_executables(there) do |root|
          there.each { |path| File.chmod(0o644, "#{root}/#{path}") }
          assert_empty found(finder, env, root)
        end
      end

      test "#{finder} finds nothing of the person's where there is no environment" do
        with_executables(there) { |root| assert_empty found(finder, {}, root) }
      end
    end

    test "a manager whose variable is not exported is found by its shims on PATH" do
      with_executables(%w[odd/versions/3.4.5/bin/ruby odd/shims/ruby]) do |root|
        assert_equal ["odd/versions/3.4.5/bin/ruby"],
                     found("rbenv", { "PATH" => "ROOT/odd/shims:/bin" }, root)
      end
    end

    test "all candidates carry the finder's name, PATH's come first" do
      with_executables(%w[bin/ruby .rbenv/versions/3.4.5/bin/ruby]) do |root|
        all = Rubies::Finders.candidates({ "HOME" => root, "PATH" => "#{root}/bin" })
        all.select! { |_, path| path.start_with?(root) }
        assert_equal [["path", "#{root}/bin/ruby"],
                      ["rbenv", "#{root}/.rbenv/versions/3.4.5/bin/ruby"]], all
      end
    end
  end
end
