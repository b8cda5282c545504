# frozen_string_literal: true

desc "Measure how often mohs compare is right (RUNS=100 INJECTED=20 MINUTES=30 APP=primes)"
task :calibrate do
  require_relative "../benchmark/calibration"
  calibration = Mohs::Calibration
  settings = calibration::Settings.from(ENV.to_h)
  ledger = calibration::Ledger.load(settings.file)
  calibration::Session.new(settings, ledger:).call
  puts calibration::Page.new([ledger]).section(ledger)
rescue Mohs::Error => e
  abort e.message
end

namespace :calibrate do
  desc "Time a command of mohs until its verdict (LABEL=YJIT TIMES=3 IN=FOLDER MOHS='compare A B')"
  task :verdict do
    require "shellwords"
    require_relative "../benchmark/calibration"
    command = Shellwords.split(ENV.fetch("MOHS"))
    times = Mohs::Calibration::VerdictTimes
            .new(ENV.fetch("LABEL"), command, folder: ENV.fetch("IN", Mohs.root))
    times.measure(ENV.fetch("TIMES", "1").to_i)
  end

  desc "Publish what rake calibrate measured in docs/calibration.md and for the replay test"
  task :publish do
    require_relative "../benchmark/calibration"
    calibration = Mohs::Calibration
    mkdir_p calibration::FIXTURES
    cp Dir[File.join(calibration::FOLDER, "*.json")], calibration::FIXTURES
    calibration::Publication.new(calibration::FIXTURES).call
  end
end
