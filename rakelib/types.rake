# frozen_string_literal: true

desc "Run the daily tests with the signatures (#:) checked: their names exist, and calls agree"
task :types do
  root = File.expand_path("..", __dir__)
  gems = Dir[File.join(root, "vendor/bundle/ruby/*")].first
  abort "run bin/setup first" unless gems
  # rbs-inline would read the first of these types and leave the others out.
  lines = Dir[File.join(root, "lib/**/*.rb")].flat_map do |path|
    File.foreach(path).grep(/#: .*-> [\w:?]+(\[[^|]*\])?\?? \| /).map { |line| "#{path}: #{line}" }
  end
  abort "types without parentheses around them:\n#{lines.join}" if lines.any?
  sig = File.join(root, "tmp/sig")
  rm_rf sig, verbose: false
  tool = lambda do |name, *arguments|
    sh({ "GEM_HOME" => gems, "GEM_PATH" => gems }, File.join(gems, "bin", name), *arguments)
  end
  tool.call("rbs-inline", "--opt-out", "--output=#{sig}", File.join(root, "lib"), out: File::NULL)
  signatures = ["-I", sig, "-I", File.join(root, "sig")]
  libraries = %w[delegate optparse socket uri] # those whose names stand in signatures
  tool.call("rbs", *libraries.flat_map { |name| ["-r", name] }, *signatures, "validate")

  # The contract of trials compares the parameters of methods, which the checks wrap.
  tests = Dir[File.join(root, "test/{unit,contract,c,integration}/**/*_test.rb")] -
          [File.join(root, "test/contract/trials_test.rb")]
  require_relative "../test/lanes"
  uncalled = File.join(root, "tmp/uncalled")
  command = lambda do |lane, some|
    [RbConfig.ruby, "-w", *%w[lib test].flat_map { |folder| ["-I", File.join(root, folder)] },
     "-r", File.join(root, "vendor/bundle/bundler/setup.rb"),
     File.join(__dir__, "support/signatures/run.rb"), libraries.join(","), sig,
     "#{uncalled}.#{lane}", *some]
  end
  # A process for each lane: wrapping all methods takes longer than what more of them would save.
  lanes = Mohs::Lanes.split(tests).to_h { |lane, some| [lane, [command.call(lane, some.flatten)]] }
  status = Mohs::Lanes.new(lanes).call
  exit status unless status.zero?
  lists = lanes.keys.map { |lane| File.readlines("#{uncalled}.#{lane}") }
  File.write("#{uncalled}.txt", lists.reduce(:&).join)
end
