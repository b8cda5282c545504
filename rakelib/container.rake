# frozen_string_literal: true

desc "Run tests (TESTS=\"test/unit test/integration/process\") as a user without rights, with a " \
     "read-only home and a masked /proc; needs root"
task :container do
  abort "rake container needs root, to make the namespaces" unless Process.euid.zero?

  tests = ENV.fetch("TESTS", "test/unit/process test/unit/store test/unit/cli " \
                             "test/integration/process test/integration/supervisor_test.rb").split
  sh "bin/setup"
  sh "unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "test/container.sh", *tests
end
