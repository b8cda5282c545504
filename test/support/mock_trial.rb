# frozen_string_literal: true

module Mohs
  # One trial of the server `mock`, under the Ruby of the tests unless another is given, stopped
  # afterwards.
  module MockTrial
    # Gems are installed once for all tests.
    CACHED = { **ENV.to_h, "XDG_CACHE_HOME" => AppProcess::CACHE }.freeze

    # Yields the trial before its boot. headers: of its request; members: other members of its
    # variant that are not the defaults.
    def self.with(name: "it", processes: 1, threads: 2, ruby: RbConfig.ruby, headers: {},
                  connections: 4, **members)
      engine = Rubies.find(ruby).engine
      variant = Study::Variant.new(name:, ruby:, engine:, server: "mock", processes:, threads:,
                                   **members)
      Dir.mktmpdir("mohs-test") do |folder|
        FileUtils.mkdir(app = File.join(folder, "app"))
        File.write(File.join(app, "config.ru"), "run ->(_) { [200, {}, []] }")
        study = Study.new(app:, connections:, env: {}, variants: [variant],
                          requests: [App::Request.build(path: "/", headers:)])
        setup = Trial::Setups.new(env: CACHED).for(study, variant)
        setup.bundle&.install
        stopping(setup, folder) { |trial| yield trial }
      end
    end

    # Yields a trial of this setup, stopped afterwards.
    def self.stopping(setup, folder, **options)
      trial = Trial.new(id: 1, setup:, folder:, spawner: Process::Spawner.new,
                        place: Cohort::Layout::Place.new(worker: 0), **options)
      yield trial
    ensure
      trial&.stop
    end
  end
end
