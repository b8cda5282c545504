# frozen_string_literal: true

require "json"

module Mohs
  # The public raw data of a thesis (test/fixtures/studies/kazakov-2023.json, from
  # github.com/andrey-kazakov/P2NC.01.116.thesis, folder measurements), in the form in which it was
  # published. For each trial of a level the excerpt has the `ends` of its 64 batches of 1024
  # requests in s, the `p50` and `p99` of each batch in ms, and for the `last` batch the time
  # within which 0 to 100 % were served.
  module RawFiles
    EXCERPT = File.join(Mohs.root, "test/fixtures/studies/kazakov-2023.json")
    REQUESTS = 1024

    # { path => text } of its result.csv, and the percentages of each last batch.
    def raw_files
      JSON.parse(File.read(EXCERPT)).each_with_object({}) do |(level, trials), files|
        trials.each.with_index(1) do |trial, number|
          folder = "#{level}/#{number}"
          files["#{folder}/result.csv"] = raw_result(*trial.values_at("ends", "p50", "p99"))
          shares = trial["last"].each_with_index.map { |time, share| "#{share},#{time}" }
          files["#{folder}/tmp/063.csv"] = ["Percentage served,Time in ms", *shares].join("\n")
        end
      end
    end

    def raw_result(ends, medians, tails)
      lines = ends.zip([0.0, *ends], medians, tails).each_with_index.map do |row, index|
        to, from, p50, p99 = row
        [index, p50, p99, to, REQUESTS / (to - from)].join(",")
      end
      ["batch,p50,p99,end_time,batch_rps", *lines].join("\n")
    end
  end
end
