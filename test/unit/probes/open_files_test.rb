# frozen_string_literal: true

require "test_helper"

class OpenFilesTest < Mohs::TestCase
  def outside(dir, ours, pid: Process.pid)
    Mohs::Probes::OpenFiles.outside([pid], app: Mohs::App.new(name: "shop", dir:), ours:)
  end

  test "files that a process has open for writing outside its folders" do
    Dir.mktmpdir do |dir|
      dir = File.realpath(dir)
      FileUtils.mkdir_p(["#{dir}/shop", "#{dir}/shop2", "#{dir}/log"])
      File.symlink("#{dir}/log", "#{dir}/link")
      names = %w[shop/own.log shop2/a.sqlite3 log/x.log removed]
      files = names.to_h { |name| [name, File.open("#{dir}/#{name}", "w+")] }
      File.delete("#{dir}/removed")
      File.write("#{dir}/read", "")
      files["read"] = File.open("#{dir}/read")

      own = outside("#{dir}/shop", "#{dir}/link")
      assert_equal ["#{dir}/shop2/a.sqlite3"], own.grep(/\A#{dir}/)
      assert_empty own.grep(%r{\A/(?:dev|proc)/})
    ensure
      files.to_h.each_value(&:close)
    end
  end

  test "a path is one line, whatever a file is called" do
    Dir.mktmpdir do |dir|
      File.open("#{dir}/a\nmohs: all fine\u200b", "w") do
        paths = outside("/x", "/y").grep(/\A#{dir}/)
        assert_equal ["a?mohs: all fine?"], (paths.map { |path| File.basename(path) })
      end
    end
  end

  test "nothing is known of a process that has ended" do
    assert_empty outside("/x", "/y", pid: 0)
  end
end
