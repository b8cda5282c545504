# frozen_string_literal: true

# Does mohs bisect find the slow commit, and none if there is none? Each try is a repository of 20
# commits of apps/primes; in half of the tries a random one of them adds a loop to each request.
# Prints each try, and how many were right.
#
#     ruby benchmark/bisect.rb [tries of each kind] [rounds of the loop]
#
# `rake calibrate` prints how many rounds cost 5 % (RUNS=1 INJECTED=1 CASES=5).

require "fileutils"
require "json"
require "open3"
require "tmpdir"
require_relative "../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
require "mohs"

module Mohs
  # Repositories of known truth, and what mohs bisect says about them.
  class BisectBenchmark
    COMMITS = 20
    PRIMES = File.join(Mohs.root, "apps/primes")
    LOOP = "    left = %<rounds>d\n    left -= 1 while left.positive?\n"
    IDENTITY = %w[-c user.name=mohs -c user.email=mohs@localhost].freeze

    #: (tries: Integer, rounds: Integer, random: Random) -> void
    def initialize(tries:, rounds:, random: Random.new(1))
      @tries = tries
      @rounds = rounds
      @random = random
    end

    #: () -> void
    def call
      Dir.mktmpdir("mohs-bisect") do |folder|
        [true, false].each { |slow| series(folder, slow) }
      end
    end

    private

    def series(folder, slow)
      right = @tries.times.count do |index|
        at = @random.rand(1...COMMITS) if slow
        attempt(File.join(folder, "#{slow}-#{index}"), at)
      end
      puts "#{slow ? 'one slow commit' : 'no slow commit'}: #{right} of #{@tries} right"
    end

    # Prints the result and returns whether it was right.
    def attempt(folder, at)
      repository(folder, at)
      start = Clock.mono_ns
      said, status = bisect(folder)
      seconds = (Clock.mono_ns - start) / 1e9
      found = said.dig("found", "title")
      right = found == (at && "commit #{at}")
      puts format("%<right>s %<seconds>5.0f s, exit %<status>d: slow at %<at>s: %<sentence>s",
                  right: right ? "right" : "WRONG", seconds:, status:, at: at.inspect,
                  sentence: said["sentence"])
      $stdout.flush
      right
    end

    def bisect(folder)
      command = [File.join(Mohs.root, "bin/mohs"), "bisect", "good", "main", "--json", "--quiet",
                 "--app", folder, "--budget", "5m"]
      env = { "XDG_DATA_HOME" => "#{folder}-data" }
      out, status = Open3.capture2(env, *command)
      [JSON.parse(out), status.exitstatus]
    end

    def repository(folder, at)
      FileUtils.cp_r(PRIMES, folder)
      git(folder, "init", "-q", "-b", "main")
      COMMITS.times do |number|
        slow_down(File.join(folder, "config.ru")) if number == at
        File.write(File.join(folder, "CHANGES"), "commit #{number}\n")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", "commit #{number}")
        git(folder, "tag", "good") if number.zero?
      end
    end

    def slow_down(path)
      text = File.read(path)
      method = "  def self.call(env)\n"
      File.write(path, text.sub(method, method + format(LOOP, rounds: @rounds)))
    end

    def git(folder, *arguments)
      system("git", "-C", folder, *IDENTITY, *arguments, exception: true)
    end
  end
end

tries = (ARGV[0] || 10).to_i
rounds = (ARGV[1] || 400).to_i
Mohs::BisectBenchmark.new(tries:, rounds:).call
