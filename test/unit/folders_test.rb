# frozen_string_literal: true

require "test_helper"

module Mohs
  class FoldersTest < TestCase
    def broken(env) = assert_raises(EnvironmentError) { Folders.cache(env) }.message

    test "the cache is below XDG_CACHE_HOME, or below the person's home" do
      with_files do |home|
        assert_equal "/c/mohs", Folders.cache({ "XDG_CACHE_HOME" => "/c", "HOME" => home })
        assert_equal "#{home}/.cache/mohs", Folders.cache({ "HOME" => home })
      end
    end

    test "data and state are below their variables, or below the person's home" do
      with_files do |home|
        assert_equal "/d/mohs", Folders.data({ "XDG_DATA_HOME" => "/d", "HOME" => home })
        assert_equal "#{home}/.local/share/mohs", Folders.data({ "HOME" => home })
        assert_equal "#{home}/.local/state/mohs", Folders.state({ "HOME" => home })
      end
    end

    test "a relative or empty variable is ignored, as the specification asks" do
      with_files do |home|
        ["c", ""].each do |value|
          assert_equal "#{home}/.cache/mohs",
                       Folders.cache({ "XDG_CACHE_HOME" => value, "HOME" => home })
        end
      end
    end

    test "no home is one line: what, why it is needed, what to do" do
      remedy = "mohs keeps its gems and runs below it. Set HOME, or XDG_CACHE_HOME, " \
               "XDG_DATA_HOME and XDG_STATE_HOME to other folders."

      assert_equal "HOME is not set: #{remedy}", broken({})
      assert_equal "HOME is empty: #{remedy}", broken({ "HOME" => "" })
      assert_equal "HOME is me, not an absolute path: #{remedy}", broken({ "HOME" => "me" })
      assert_equal "HOME is /nonexistent/me, which does not exist: #{remedy}",
                   broken({ "HOME" => "/nonexistent/me" })
      assert_equal "/c/mohs", Folders.cache({ "XDG_CACHE_HOME" => "/c" })
    end

    test "a home that does not exist is not created" do
      with_files do |dir|
        env = { "HOME" => "#{dir}/gone" }

        assert_raises(EnvironmentError) { Folders.verify(env) }
        assert_empty Dir.children(dir)
      end
    end

    test "folders are tried before they are needed: made, written, and left empty" do
      with_files do |home|
        Folders.verify({ "HOME" => home })

        assert_equal %w[/.cache/mohs /.local/share/mohs],
                     Dir.glob("#{home}/**/mohs", File::FNM_DOTMATCH).map { |path| path.delete_prefix(home) }
        assert_empty Dir.children("#{home}/.cache/mohs")
      end
    end

    test "a link that waits where a folder is tried is not followed" do
      with_files("target" => "kept") do |home|
        cache = File.join(home, ".cache", "mohs")
        FileUtils.mkdir_p(cache)
        File.symlink(File.join(home, "target"), File.join(cache, ".tried.#{::Process.pid}"))
        Folders.verify({ "HOME" => home })

        assert_equal "kept", File.read(File.join(home, "target"))
      end
    end

    test "a folder that can't be written is one line: which, why, what to do" do
      with_files(".cache" => "a file") do |home|
        error = assert_raises(EnvironmentError) { Folders.verify({ "HOME" => home }) }

        assert_operator error.message, :start_with?, "can't write to #{home}/.cache/mohs ("
        assert_operator error.message, :end_with?,
                        "): mohs keeps gems and facts about Rubies there. Make room or mend the " \
                        "rights, or set XDG_CACHE_HOME to another folder."
      end
    end

    test "runs in another database need no folder for data" do
      with_files(".local" => "a file") do |home|
        assert_raises(EnvironmentError) { Folders.verify({ "HOME" => home }) }
        assert_nil Folders.verify({ "HOME" => home, "MOHS_DATABASE_URL" => "postgres://db" })
      end
    end
  end
end
