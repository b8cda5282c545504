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
  desc "Publish what rake calibrate measured in docs/calibration.md and for the replay test"
  task :publish do
    require_relative "../benchmark/calibration"
    calibration = Mohs::Calibration
    mkdir_p calibration::FIXTURES
    cp Dir[File.join(calibration::FOLDER, "*.json")], calibration::FIXTURES
    calibration::Publication.new(calibration::FIXTURES).call
  end
end
