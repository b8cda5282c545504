# frozen_string_literal: true

# Does `mohs tune` give the same answer on another day? Tunes an application once a day; what
# follows its name is for `mohs tune`:
#
#     ruby benchmark/tune/days.rb posts --app apps/posts --limit "p90 < 50ms" --budget 10m
#
# Each tuning is a line of days.ndjson beside this file. `report` compares all days of each
# application: two answers agree if each pick is in the group of the other, or both are the same.

require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "mohs"
require_relative "../lines_ledger"
require_relative "asked"

module Mohs
  # Compares the tunings of different days.
  class TuningDays
    LEDGER = LinesLedger.new(File.join(__dir__, "days.ndjson"))

    #: () -> void
    def self.report
      LEDGER.all.group_by { |one| one["kind"] }.each do |name, days|
        days.each { |one| puts "#{name}, #{one['date']}: #{Asked.to_s(one)}" }
        days.combination(2) { |one, other| puts "#{name}: #{agreement(one, other)}" }
      end
    end

    def self.agreement(one, other)
      dates = "#{one['date']} and #{other['date']}"
      return "#{dates} are of one group" if [one, other].permutation.all? do |left, right|
        left["same"].include?(right["pick"])
      end

      unsearched = (one["left"] & [other["pick"]]) | (other["left"] & [one["pick"]])
      return "#{dates} differ" if unsearched.empty?

      "#{dates} can't be compared: #{unsearched.join(', ')} was raced to the end, but not searched"
    end
    private_class_method :agreement
  end
end

name, *argv = ARGV
if argv.any?
  Mohs::TuningDays::LEDGER.keep({ kind: name, argv:, **Mohs::Asked.tune(*argv) })
elsif name == "report"
  Mohs::TuningDays.report
else
  abort "usage: ruby benchmark/tune/days.rb NAME OPTION ..., or report"
end
