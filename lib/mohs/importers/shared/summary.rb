# frozen_string_literal: true

module Mohs
  module Importers
    module Shared
      # What a load generator prints at the end, read by the driver of that tool
      # (Drivers::Peer::Base#figures): the figures are the same as if mohs had started it.
      module Summary
        # The target of a load that ended long ago: nothing is sent to it. Its statuses are those
        # that every tool takes for right.
        TARGET = Load::Target.new(
          host: "127.0.0.1", port: 1,
          requests: [Load::Request.new(check: Load::Check.new(statuses: [*200..299]))]
        )

        private

        # Outputs that were appended to one file (>>), each a run. first: the beginning of each
        # output.
        def outputs(first) = source.text.split(/^(?=#{first.source})/).grep(first)

        # files: contents of the files that the tool writes, by the driver's names for them.
        def summary(text, files: {}, lacks: [])
          driver = Drivers.fetch(self.class.label)
          output = Drivers::Peer::Output.new(tool: self.class.label, stdout: text, files:)
          figures = driver.new(targets: [TARGET]).figures(output)
          of_figures(figures, [lack("summary"), lack("caveat", caveat: driver.caveat), *lacks])
        end

        def of_figures(figures, lacks)
          seconds = number(figures.wall_ns / 1e9)
          right = figures.good || figures.completed
          lacks = [*lacks, lack("good_unknown")] unless figures.good
          requests = figures.completed || figures.good
          [*figures.errors.values, *figures.good, *requests].each { |one| count(one) }
          sample(value: (right / seconds if right && seconds.positive?), requests:,
                 good: figures.good, errors: figures.errors, seconds:,
                 latency_ms: latency_ms(figures.times, requests),
                 lacks: [*lacks, *few(figures.times, requests)])
        end
      end
    end
  end
end
