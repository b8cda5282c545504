# frozen_string_literal: true

desc "Run the daily tests (rake test:all for the slow ones too)"
task :test do
  sh "bin/test"
end

desc "Run every test, the slow and browser suites and the long fuzz runs included"
task "test:all" do
  sh "bin/test", "--all"
end

desc "Run the daily tests and write their coverage, by line and branch, to coverage/"
task "test:coverage" do
  sh({ "COVERAGE" => "1" }, "bin/test")
end
