# frozen_string_literal: true

# Does `mohs tune` give the same answer on another day? Tunes an application once a day; what
# follows its name is for `mohs tune`:
#
#     ruby benchmark/tune/days.rb posts --app apps/posts --limit "p90 < 50ms" --budget 10m
#
# Each tuning is a line of days.ndjson beside this file. `report` compares all days of each
# application: two answers are of one group if each day searched the other's pick and did not tell
# it from its own; that alone may be for lack of precision, so both days' ratios of the two picks
# stand beside it.

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

    def self.agreement(*days)
      dates, picks = %w[date pick].map { |key| days.map { |one| one[key] } }
      return "#{dates.join(' and ')}: both #{picks.first}" if picks.uniq.one?

      told = days.map { |one| "#{one['date']}: #{ratio(one, *picks)}" }.join(", ")
      "#{group(days)}; #{picks.reverse.join(' / ')} #{told}"
    end

    def self.group(days)
      one, other = days
      return "no groups on one of the days" unless days.all? { |day| day["same"] }
      return "of one group" if
        days.permutation.all? { |left, right| left["same"].include?(right["pick"]) }

      raced = (one["left"] & [other["pick"]]) | (other["left"] & [one["pick"]])
      raced.empty? ? "not of one group" : "#{raced.join(', ')} raced to the end, but not searched"
    end

    # By the searches of that day.
    def self.ratio(day, one, other)
      rates = day["found"].map { |found| Asked.rates(found).values_at(one, other) }
      logs = rates.select(&:all?).map { |left, right| Math.log(right / left) }
      return "not searched" if logs.empty?

      found = Stats::Effect.of(logs).interval
      value, *ends = [found.value, found.low, found.high].compact.map { |end_| end_.round(3) }
      "#{value} [#{ends.join(', ')}]"
    end
    private_class_method :agreement, :group, :ratio
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
