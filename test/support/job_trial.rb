# frozen_string_literal: true

module Mohs
  # One trial of test/fixtures/apps/queue on Puma, under the Ruby of the tests, stopped afterwards.
  # Its gems are installed once, below tmp/ of the checkout.
  module JobTrial
    APP = File.join(Mohs.root, "test/fixtures/apps/queue")

    # Yields the trial before its boot. env: ADAPTER among others; jobs: arguments of
    # Study::Jobs.parse; members: other members of its variant that are not the defaults.
    def self.with(env: {}, jobs: {}, processes: 1, data: nil, **members)
      variant = Study::Variant.new(name: "it", ruby: RbConfig.ruby, engine: "ruby", server: "puma",
                                   processes:, threads: 2, **members)
      Dir.mktmpdir("mohs-test") do |folder|
        jobs = Study::Jobs.parse(count: 20, **jobs)
        study = Study.new(app: APP, connections: 1, env: { "SPOOL" => folder, **env }, jobs:,
                          variants: [variant], requests: [jobs.request])
        setup = Trial::Setups.new(env: MockTrial::CACHED).for(study, variant)
        result = setup.bundle.install
        raise "#{result.reason}\n#{result.log_tail}" unless result.ok?

        MockTrial.stopping(setup, folder, data:) { |trial| yield trial }
      end
    end
  end
end
