# frozen_string_literal: true

require "test_helper"

module Mohs
  class FoldersTest < TestCase
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-others"

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
      remedy = /mohs keeps .*HOME.*XDG_CACHE_HOME.*XDG_DATA_HOME.*XDG_STATE_HOME/
      file = Regexp.escape(__FILE__)

      assert_match(/\AHOME is not set: #{remedy}/, broken({}))
      assert_match(/\AHOME is empty: #{remedy}/, broken({ "HOME" => "" }))
      assert_match(/\AHOME is me, .*absolute.*: #{remedy}/, broken({ "HOME" => "me" }))
      assert_match(%r{\AHOME is /nonexistent/me, .*exist: #{remedy}},
                   broken({ "HOME" => "/nonexistent/me" }))
      assert_match(/\AHOME is #{file}, .*folder: #{remedy}/, broken({ "HOME" => __FILE__ }))
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

    # A call for each folder that mohs has, and the variable that names its place.
    ASKED = { cache: "XDG_CACHE_HOME", data: "XDG_DATA_HOME", state: "XDG_STATE_HOME" }.freeze

    ASKED.each do |name, variable|
      test "a link in the place of #{name} is refused, wherever it is asked for" do
        with_files("elsewhere/mohs.db" => "") do |home|
          File.symlink(File.join(home, "elsewhere"), File.join(home, "mohs"))
          env = { variable => home }
          error = assert_raises(EnvironmentError) { Folders.public_send(name, env) }

          assert_said(error.message)
        end
      end

      test "a #{name} of another user is refused, as is what another user has put there" do
        skip "needs root, to give files away" unless ::Process.euid.zero?

        with_files("mohs/file" => "") do |home|
          paths = [File.join(home, "mohs"), File.join(home, "mohs", "file")]
          env = { variable => home }
          assert_equal paths.first, Folders.public_send(name, env)
          paths.each do |path|
            File.chown(65_534, nil, path)
            error = assert_raises(EnvironmentError) { Folders.public_send(name, env) }

            assert_match(/\A#{path} is of user 65534: /, error.message)
            File.chown(0, nil, path)
          end
        end
      end
    end

    test "a link to or beside a database is refused: root would write where it leads" do
      ["", "-wal", "-shm", "-journal"].each do |suffix|
        with_files("target" => "kept", "mohs/mohs.db" => "") do |home|
          file = File.join(home, "mohs", "mohs.db#{suffix}")
          FileUtils.rm_f(file)
          File.symlink(File.join(home, "target"), file)
          error = assert_raises(EnvironmentError) { Folders.data({ "XDG_DATA_HOME" => home }) }

          assert_match(/\A#{file} is a link: mohs keeps runs only where /, error.message)
        end
      end
    end

    test "links above are followed, unless they are another user's" do
      with_files("disk/mohs/file" => "") do |home|
        link = File.join(home, ".cache")
        File.symlink(File.join(home, "disk"), link)
        assert_equal "#{link}/mohs", Folders.cache({ "HOME" => home })
        skip "needs root, to give a link away" unless ::Process.euid.zero?

        File.lchown(65_534, nil, link)
        error = assert_raises(EnvironmentError) { Folders.cache({ "HOME" => home }) }
        assert_match(/\A#{link} .*user 65534: /, error.message)
      end
    end

    # The first folder below `home` that `env` leads through is made somebody else's.
    def refused_below(home, folder, env)
      File.chown(65_534, nil, folder)
      error = assert_raises(EnvironmentError) { Folders.data(env) }

      assert_match(/\A#{folder} is of user 65534: mohs keeps runs only .* Set XDG_DATA_HOME to /,
                   error.message)
      refute_path_exists "#{home}/data"
    end

    test "a folder below another user's is refused: they could put a link in its place" do
      skip "needs root, to give a folder away" unless ::Process.euid.zero?

      with_files("a/b/c" => "") do |home|
        refused_below(home, "#{home}/a", { "XDG_DATA_HOME" => "#{home}/a/b" })
        refused_below(home, "#{home}/a", { "HOME" => "#{home}/a/b" })
      end
    end

    test "so is one behind a link of one's own that leads through another user's folder" do
      skip "needs root, to give a folder away" unless ::Process.euid.zero?

      with_files("theirs/mine/c" => "") do |home|
        File.symlink("theirs", "#{home}/first")
        File.symlink("#{home}/first/mine/../mine", "#{home}/second")
        refused_below(home, "#{home}/theirs", { "XDG_DATA_HOME" => "#{home}/second" })
      end
    end

    test "a folder above that everybody may change is refused, unless it is sticky" do
      with_files("all/mine/c" => "") do |home|
        env = { "XDG_DATA_HOME" => "#{home}/all/mine" }
        File.chmod(0o777, "#{home}/all")
        error = assert_raises(EnvironmentError) { Folders.data(env) }
        assert_match(%r{\A#{home}/all is writable for everybody: .* Set XDG_DATA_HOME to },
                     error.message)

        File.chmod(0o1777, "#{home}/all")
        assert_equal "#{home}/all/mine/mohs", Folders.data(env)
      end
    end

    test "so is one that a group may change, unless it is a group of one's own" do
      skip "needs root, to give a folder to a group" unless ::Process.euid.zero?

      with_files("all/mine/c" => "") do |home|
        env = { "XDG_DATA_HOME" => "#{home}/all/mine" }
        File.chown(nil, 0, "#{home}/all")
        File.chmod(0o775, "#{home}/all")
        assert_equal "#{home}/all/mine/mohs", Folders.data(env)

        File.chown(nil, 65_534, "#{home}/all")
        error = assert_raises(EnvironmentError) { Folders.data(env) }
        assert_match(%r{\A#{home}/all is writable for group 65534: .* Set XDG_DATA_HOME to },
                     error.message)

        File.chmod(0o1775, "#{home}/all")
        assert_equal "#{home}/all/mine/mohs", Folders.data(env)
      end
    end

    test "links that lead round in a circle are a folder that can't be written" do
      with_files do |home|
        File.symlink("round", "#{home}/round")
        env = { "XDG_CACHE_HOME" => "#{home}/round" }
        error = assert_raises(EnvironmentError) { Folders.verify(env) }

        assert_said(error.message)
      end
    end

    test "a folder that can't be written is one line: which, why, what to do" do
      with_files(".cache" => "a file") do |home|
        error = assert_raises(EnvironmentError) { Folders.verify({ "HOME" => home }) }

        assert_operator error.message, :start_with?, "can't write to #{home}/.cache/mohs ("
        assert_match(/\): mohs keeps .*space.*permissions.*XDG_CACHE_HOME .*folder\.\z/,
error.message)
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
