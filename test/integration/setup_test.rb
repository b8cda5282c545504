# frozen_string_literal: true

require "test_helper"
require "open3"

# bin/setup in a checkout of its own, with a Bundler that only prints what the real one does.
class SetupTest < Mohs::TestCase
  LOCK = <<~TEXT
    GEM
      specs:
        nio4r (2.7.5)
        pg (1.7.0)
        pg (1.7.0-x86_64-linux)
          nio4r (> 1)
  TEXT

  # Every package is there: nothing is to be installed by a test.
  PACKAGES = "#!/bin/sh\necho ok installed\n"

  # Yields the folder of a checkout whose core is compiled, and what bin/setup printed there.
  def set_up(bundle)
    files = { "Gemfile.lock" => LOCK, "lib/mohs/core.so" => "", "ext/x" => "",
              "bin/setup" => File.read(File.join(Mohs.root, "bin/setup")),
              "path/bundle" => "#!/bin/sh\n#{bundle}\n", "path/dpkg-query" => PACKAGES }
    with_files(files) do |dir|
      path, ruby = %w[path path/ruby].map { |name| File.join(dir, name) }
      File.symlink(RbConfig.ruby, ruby)
      FileUtils.chmod(0o755, [File.join(dir, "bin/setup"), *Dir[File.join(path, "*")]])
      env = { "PATH" => "#{path}:#{ENV.fetch('PATH')}" }
      yield dir, *Open3.capture3(env, File.join(dir, "bin/setup"))
    end
  end

  test "while a gem is compiled for long, it says which of how many that is" do
    bundle = "echo Using bundler 2.3\necho 'Installing nio4r 2.7.5 with native extensions'\n" \
             "echo 'Using pg 1.7.0'\nsleep 4"
    set_up(bundle) do |dir, out, err, status|
      assert_equal ["", true], [out, status.success?], err
      assert_equal "gem 2 of 2: nio4r 2.7.5, 3 s", err[/gem \d.*/]
      assert_path_exists File.join(dir, "tmp/bundle.stamp")
      assert_includes File.read(File.join(dir, "tmp/bundle.log")), "Using bundler"
    end
  end

  test "gems that can't be installed end it, with Bundler's own words" do
    set_up("echo 'tiny: boom' >&2; exit 17") do |dir, _, err, status|
      assert_equal 17, status.exitstatus, err
      assert_includes err, "tiny: boom\n"
      refute_path_exists File.join(dir, "tmp/bundle.stamp")
    end
  end
end
