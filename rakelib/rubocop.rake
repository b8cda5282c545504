# frozen_string_literal: true

desc "Check the house style of every Ruby file (.rubocop.yml)"
task :rubocop do
  gems = Dir[File.expand_path("../vendor/bundle/ruby/*", __dir__)].first
  abort "run bin/setup first" unless gems
  rubocop = File.join(gems, "bin", "rubocop")
  sh({ "GEM_HOME" => gems, "GEM_PATH" => gems }, rubocop, "--display-cop-names")
end
