# frozen_string_literal: true

# How long `mohs --version` takes, compared with `ruby -e 0`: in turn, 21 times each, medians. Goal:
# at most 1.5 x `ruby -e 0` + 60 ms.   ruby benchmark/startup.rb
require "rbconfig"

ROOT = File.expand_path("..", __dir__)
COMMANDS = {
  "ruby -e 0" => [RbConfig.ruby, "-e", "0"],
  "exe/mohs --version" => [RbConfig.ruby, File.join(ROOT, "exe/mohs"), "--version"],
  "bin/mohs --version" => [File.join(ROOT, "bin/mohs"), "--version"],
  "exe/mohs help" => [RbConfig.ruby, "-r", File.join(ROOT, "vendor/bundle/bundler/setup.rb"),
                      File.join(ROOT, "exe/mohs"), "help"],
}.freeze
ROUNDS = 21

def milliseconds(argv)
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  system(*argv, out: File::NULL) || abort("#{argv.join(' ')} failed")
  (Process.clock_gettime(Process::CLOCK_MONOTONIC) - start) * 1000
end

times = Hash.new { |hash, name| hash[name] = [] }
ROUNDS.times { COMMANDS.to_a.shuffle.each { |name, argv| times[name] << milliseconds(argv) } }
medians = COMMANDS.keys.to_h { |name| [name, times[name].sort[ROUNDS / 2]] }
medians.each { |name, median| puts format("%-20s %6.1f ms", name, median) }

limit = (1.5 * medians["ruby -e 0"]) + 60
puts format("goal for --version   %6.1f ms", limit)
exit medians["exe/mohs --version"] <= limit && medians["bin/mohs --version"] <= limit
