# frozen_string_literal: true

require "test_helper"

module Mohs
  class WholeFileTest < TestCase
    test "until its end the file is as it was; then it is the new one, and nothing else is left" do
      with_files("a" => "old") do |folder|
        file = AtomicFile.new("#{folder}/a")
        file.write("n", "ew")
        assert_equal "old", File.read("#{folder}/a")
        file.finish
        file.close

        assert_equal ["new", %w[a]], [File.read("#{folder}/a"), Dir.children(folder)]
      end
    end

    test "one that is not finished leaves nothing behind" do
      with_files("a" => "old") do |folder|
        %w[a b].each do |name|
          file = AtomicFile.new("#{folder}/#{name}")
          file.write("new")
          file.close
        end

        assert_equal ["old", %w[a]], [File.read("#{folder}/a"), Dir.children(folder)]
      end
    end

    test "on a full disk it is given up without a trace, whatever it still had to write" do
      with_files do |folder|
        file = AtomicFile.new("#{folder}/a")
        file.instance_variable_get(:@io).define_singleton_method(:close) do
          super()
          raise Errno::ENOSPC
        end
        file.close

        assert_empty Dir.children(folder)
      end
    end

    test "the mode of the file that it replaces is kept, whatever the umask" do
      with_files("a" => "", "b" => "") do |folder|
        File.chmod(0o600, "#{folder}/a")
        File.chmod(0o666, "#{folder}/b")
        before = File.umask(0o027)
        %w[a b c].each { |name| AtomicFile.write("#{folder}/#{name}", "x") }

        assert_equal [0o600, 0o666, 0o640],
                     %w[a b c].map { |name| File.stat("#{folder}/#{name}").mode & 0o7777 }
      ensure
        File.umask(before)
      end
    end

    test "its owner is kept, too, where root writes" do
      skip "needs root, to give a file to another user" unless ::Process.euid.zero?

      with_files("a" => "") do |folder|
        File.chown(65_534, 65_534, "#{folder}/a")
        AtomicFile.write("#{folder}/a", "x")
        stat = File.stat("#{folder}/a")

        assert_equal [65_534, 65_534], [stat.uid, stat.gid]
      end
    end

    test "a link leads to the file that is replaced, and stays" do
      with_files("a" => "old") do |folder|
        File.symlink("a", "#{folder}/link")
        AtomicFile.write("#{folder}/link", "new")

        assert_equal ["new", true], [File.read("#{folder}/a"), File.symlink?("#{folder}/link")]
      end
    end

    test "another user's link is not followed, be it the file's or a folder's" do
      skip "needs root, to give a link away" unless ::Process.euid.zero?

      with_files("there/a" => "kept") do |folder|
        File.symlink("there/a", "#{folder}/link")
        File.symlink("there", "#{folder}/folder")
        %w[link folder].each { |name| File.lchown(65_534, nil, "#{folder}/#{name}") }
        { "link" => "link", "folder/a" => "folder", "folder/new" => "folder" }.each do |path, link|
          error = assert_raises(Errno::EACCES) { AtomicFile.write("#{folder}/#{path}", "x") }
          assert_match(%r{ #{folder}/#{link} .*user 65534\z}, error.message)
        end

        assert_equal [%w[a], "kept"],
                     [Dir.children("#{folder}/there"), File.read("#{folder}/there/a")]
      end
    end

    test "what stands at its temporary name is neither followed nor written" do
      with_files("theirs" => "kept") do |folder|
        SecureRandom.stub(:hex, "guessed") do
          File.symlink("theirs", "#{folder}/a.guessed.part")
          assert_raises(Errno::EEXIST) { AtomicFile.write("#{folder}/a", "x") }
        end

        assert_equal "kept", File.read("#{folder}/theirs")
        assert_equal ["a.guessed.part", "theirs"], Dir.children(folder).sort
      end
    end
  end
end
