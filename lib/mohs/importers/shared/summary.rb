# frozen_string_literal: true

module Mohs
  module Importers
    module Shared
      # What a load generator prints at the end, read by the driver of that tool
      # (Drivers::Peer::Base#figures): the same figures as if mohs had started it.
      module Summary
        # Nobody is asked: the target of a load that was over long ago. The statuses that any tool
        # takes for right.
        TARGET = Load::Target.new(
          host: "127.0.0.1", port: 1,
          requests: [Load::Request.new(check: Load::Check.new(statuses: [*200..299]))]
        )

        private

        # Outputs that were written one after the other into the same file (>>), each a run.
        # first: what each begins with.
        def outputs(first) = source.text.split(/^(?=#{first.source})/).grep(first)

        # `files` as the driver names those that its tool writes.
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
