# frozen_string_literal: true

require "test_helper"

class OpenFilesTest < Mohs::TestCase
  def outside(inside) = Mohs::App::OpenFiles.call([Process.pid], inside:)

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

      own = outside(["#{dir}/shop", "#{dir}/link", nil])
      assert_equal ["#{dir}/shop2/a.sqlite3"], own.grep(/\A#{dir}/)
      assert_empty own.grep(%r{\A/(?:dev|proc)/})
    ensure
      files.to_h.each_value(&:close)
    end
  end

  test "nothing is known of a process that has ended" do
    pid = Process.spawn("true")
    Process.wait(pid)
    assert_empty Mohs::App::OpenFiles.call([pid], inside: [])
  end
end
