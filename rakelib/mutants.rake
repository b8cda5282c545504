# frozen_string_literal: true

desc "Count the mutants that the tests kill (ROOM=stats COUNT=300|all SEED=1 FILE=path[:line] " \
     "LISTED=1 LIST=1 JOBS=1)"
task :mutants do
  root = File.expand_path("..", __dir__)
  folders = %w[lib test].flat_map { |folder| ["-I", File.join(root, folder)] }
  gems = File.join(root, "vendor/bundle/bundler/setup.rb")
  exec("nice", RbConfig.ruby, "-w", *folders, "-r", gems,
       File.join(__dir__, "support/mutants.rb"))
end
