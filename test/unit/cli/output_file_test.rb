# frozen_string_literal: true

require "test_helper"

# What a file that the person names may be.
class OutputFileTest < Mohs::TestCase
  def write(path, text = "new") = Mohs::CLI::OutputFile.write(path, text)

  def refused(path) = assert_raises(Mohs::UsageError) { write(path) }.message

  # A pipe at this path, and what is written into it meanwhile.
  def piped(path)
    File.mkfifo(path)
    reader = File.open(path, File::RDONLY | File::NONBLOCK)
    yield
    reader.read
  ensure
    reader&.close
  end

  test "a pipe, a device and an open file are written directly, links of one's own followed" do
    with_files("open" => "old") do |folder|
      File.symlink("pipe", "#{folder}/link")
      assert_equal "newnew", (piped("#{folder}/pipe") { 2.times { write("#{folder}/link") } })
      assert_predicate File.lstat("#{folder}/pipe"), :pipe?

      File.open("#{folder}/open", "r+") do |open|
        inode = open.stat.ino
        ["/dev/fd/#{open.fileno}", "/proc/self/fd/#{open.fileno}"].each { |path| write(path) }
        assert_equal [inode, "new"], [File.stat(open.path).ino, File.read(open.path)]
      end
      write("/dev/null")
      assert_predicate File.stat("/dev/null"), :chardev?
    end
  end

  test "another user's link is refused, whatever it leads to" do
    skip "needs root, to give a link away" unless ::Process.euid.zero?

    with_files("file" => "kept") do |folder|
      ["#{folder}/file", "#{folder}/gone", "/dev/null"].each do |target|
        link = "#{folder}/link"
        File.symlink(target, link)
        File.lchown(65_534, nil, link)

        assert_match(/\A#{link} .*: Permission denied - #{link} .*user 65534\. /, refused(link))
        File.unlink(link)
      end
      assert_equal ["kept", %w[file]], [File.read("#{folder}/file"), Dir.children(folder)]
    end
  end

  test "so is one in /dev/shm, where anybody may leave links" do
    skip "needs root, to give a link away" unless ::Process.euid.zero?
    skip "no /dev/shm here" unless File.writable?("/dev/shm")

    with_files("file" => "kept") do |folder|
      link = "/dev/shm/mohs-test-#{SecureRandom.hex(6)}"
      File.symlink("#{folder}/file", link)
      File.lchown(65_534, nil, link)
      assert_match(/#{link} .*user 65534/, refused(link))
      assert_equal "kept", File.read("#{folder}/file")
    ensure
      File.unlink(link)
    end
  end
end
