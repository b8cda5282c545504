# frozen_string_literal: true

desc "Run tests (TESTS=\"test/unit test/integration/process\") as a user without rights, with a " \
     "read-only home, a masked /proc and no network but loopback; needs root and iproute2"
task :container do
  abort "rake container needs root, to make the namespaces" unless Process.euid.zero?

  tests = ENV.fetch("TESTS", "test/unit/process test/unit/store test/unit/cli " \
                             "test/integration/process test/integration/supervisor_test.rb").split
  sh "bin/setup"
  spaces = %w[--mount --net --pid --fork --kill-child]
  sh "unshare", *spaces, "sh", "test/container.sh", *tests
end
