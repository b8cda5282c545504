# frozen_string_literal: true

require "test_helper"

module Mohs
  module Process
    class ScratchFolderTest < TestCase
      LEFT = "mohs-t20261120-4711-x1y2z3"
      MARKER = ScratchFolder::MARKER

      test "it is there for the block, for its owner alone, and gone after it" do
        with_files do |parent|
          given = ScratchFolder.with(parent:) do |folder|
            FileUtils.mkdir_p(File.join(folder, "12"))
            assert_match ScratchFolder::FORM, File.basename(folder)
            assert_equal 0o40700, File.stat(folder).mode
            folder
          end
          assert_equal [parent, []], [File.dirname(given), Dir.children(parent)]
        end
      end

      def place(asked, fallback: "/tmp") = ScratchFolder.place(asked:, fallback:)

      # A parent that another user owns, or may change.
      def unsafe(parent)
        skip "needs root, to give a folder away" unless ::Process.euid.zero?

        changes = { "of user 65534" => -> { File.chown(65_534, nil, parent) },
                    "writable for everybody" => -> { File.chmod(0o777, parent) } }
        changes.each do |what, change|
          change.call
          yield what
          File.chown(0, 0, parent)
          File.chmod(0o700, parent)
        end
      end

      test "TMPDIR is used as long as nobody else can put another folder in its place" do
        with_files("a/b/c" => "") do |dir|
          assert_equal ["#{dir}/a/b", nil], place("#{dir}/a/b")
          assert_equal [ENV.fetch("TMPDIR"), nil], ScratchFolder.place
          unsafe("#{dir}/a") do |what|
            folder, note = place("#{dir}/a/b")

            assert_equal "/tmp", folder
            assert_match(%r{\A#{dir}/a is #{Regexp.escape(what)}: .* /tmp .*#{dir}/a/b\.\z}, note)
            used = with_tmpdir("#{dir}/a/b") { ScratchFolder.with { |made| File.dirname(made) } }
            assert_equal "/tmp", used
          end
        end
      end

      def with_tmpdir(folder)
        before, ENV["TMPDIR"] = ENV.fetch("TMPDIR"), folder
        yield
      ensure
        ENV["TMPDIR"] = before
      end

      test "without a safe folder there is none: which, why, what to do" do
        with_files("a/b/c" => "", "d/e" => "") do |dir|
          unsafe("#{dir}/a") do |what|
            error = assert_raises(EnvironmentError) { place("#{dir}/a/b", fallback: "#{dir}/a") }
            assert_match(%r{\A#{dir}/a is #{Regexp.escape(what)}: .*TMPDIR .*folder\.\z},
error.message)

            error = assert_raises(EnvironmentError) { place("#{dir}/a", fallback: "#{dir}/none") }
            assert_match(%r{\A#{dir}/a is #{what}, and #{dir}/none can't be written: mohs keeps },
                         error.message)
          end
        end
      end

      test "a TMPDIR with spaces, which RUBYOPT would split, is left aside" do
        with_files("a b/c" => "") { |dir| assert_equal "/tmp", place("#{dir}/a b").first }
      end

      test "what a killed mohs has left is removed, and nothing whose name only begins alike" do
        kept = ["#{LEFT}/notes", "mohs-t2024-results/#{MARKER}",
                "mohs-t20261120-4711-x1/1/#{MARKER}", "mohs-ports/#{MARKER}",
                "a-#{LEFT}/#{MARKER}", "#{LEFT}.old/#{MARKER}"]
        killed = "mohs-t20261121-12-a0"
        files = [*kept, "#{killed}/#{MARKER}", "#{killed}/12/inside"].to_h { |path| [path, ""] }
        with_files(files) do |parent|
          ScratchFolder.with(parent:) { nil }

          assert_equal kept.sort, files.keys.select { |path| File.exist?("#{parent}/#{path}") }.sort
        end
      end

      test "what something else removes meanwhile does not keep the rest" do
        with_files("mohs-t20261121-12-a0/#{MARKER}" => "") do |parent|
          left = File.join(parent, "mohs-t20261121-12-a0")
          %w[a b c].each { |name| FileUtils.mkdir_p(File.join(left, name, name)) }
          removing_before do
            ScratchFolder.with(parent:) do |folder|
              %w[a b c].each { |name| File.write(File.join(folder, name), "") }
            end
          end

          assert_empty Dir.children(parent)
        end
      end

      test "what can't be removed keeps its marker" do
        with_files("#{LEFT}/#{MARKER}" => "", "#{LEFT}/a/b" => "") do |parent|
          failing = ->(*) { raise Errno::EBUSY }
          FileUtils.stub(:remove_entry, ->(*, force) { force || failing.call }) do
            ScratchFolder.with(parent:) { nil }
          end

          assert_path_exists File.join(parent, LEFT, MARKER)
        end
      end

      test "a link is not followed, nor a folder removed that is in use" do
        with_files("elsewhere/#{MARKER}" => "", "#{LEFT}/file" => "") do |parent|
          File.symlink("elsewhere", "#{parent}/mohs-t20261120-1-a")
          File.symlink("../elsewhere/#{MARKER}", "#{parent}/#{LEFT}/#{MARKER}")
          ScratchFolder.with(parent:) do |folder|
            ScratchFolder.with(parent:) { assert_path_exists folder }
          end

          assert_equal ["elsewhere", LEFT, "mohs-t20261120-1-a"].sort, Dir.children(parent).sort
          assert_path_exists "#{parent}/elsewhere/#{MARKER}"
        end
      end

      test "another user's folder is left alone" do
        skip "needs root, to give a folder to another user" unless ::Process.euid.zero?

        with_files("#{LEFT}/#{MARKER}" => "") do |parent|
          File.chown(65_534, nil, "#{parent}/#{LEFT}")
          ScratchFolder.with(parent:) { nil }

          assert_equal [LEFT], Dir.children(parent)
        end
      end

      private

      # Every other entry is gone just before it is removed.
      def removing_before
        remove = FileUtils::Entry_.instance_method(:remove)
        count = 0
        replace do
          (directory? ? Dir : File).unlink(path) if (count += 1).odd?
          remove.bind_call(self)
        end
        yield
      ensure
        replace(remove)
      end

      def replace(method = nil, &)
        FileUtils::Entry_.remove_method(:remove)
        FileUtils::Entry_.define_method(:remove, *method, &)
      end
    end
  end
end
