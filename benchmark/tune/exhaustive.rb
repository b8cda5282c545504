# frozen_string_literal: true

require "tmpdir"

module Mohs
  # The highest rate of each setting within a limit, without a race: all of them are searched on
  # fresh servers, in random order, for as long as the limit needs. Rates up to 2.5 times that with
  # all threads busy may be tried.
  class Exhaustive
    # Seconds of a closed loop before each search.
    WARM_UP_S = 3

    # app: its folder. settings: processes x threads, "2x5". search_s: of each search, with the load
    # beyond its rate.
    #: (String, limit: String, settings: Array[String], search_s: Numeric) -> void
    def initialize(app, limit:, settings:, search_s:)
      @limit = Load::Limit.parse(limit)
      @search_s = search_s
      app = App::Folder.load(app)
      variants = settings.map { |name| [nil, Study::Notation.parse("puma:#{name}")] }
      @study = Study::Builder.new(app:).call({ variants:, tuning: Tune::Rules.new(limit: @limit) },
                                             requests: app.default_requests)
      @settings = settings.zip(@study.variants).to_h
    end

    # { setting => what Tune::Search found on it } of fresh servers.
    #: (seed: Integer) -> Hash[String, Hash[Symbol, untyped]]
    def round(seed:)
      order = @settings.keys.shuffle(random: Random.new(seed))
      Process::MachineLock.new.hold(wait: ->(_) {}) do
        order.to_h { |name| [name, served(name) { |trial| search(trial, seed) }] }
      end
    end

    # Yields a fresh server of a setting, a Trial.
    #: [T] (String) { (Trial) -> T } -> T
    def served(name)
      variant = @settings.fetch(name)
      Dir.mktmpdir("mohs-exhaustive") do |folder|
        place = Cohort::Layout.for(Plan::Scheme::WHOLE, [variant.name]).places.first
        trial = Trial.new(id: 0, setup: setup(variant), folder:, place:,
                          spawner: Process::Spawner.new)
        %i[boot attest check].each { |stage| trial.public_send(stage) }
        warm_up(trial.target)
        yield trial
      ensure
        trial&.stop
      end
    end

    private

    def search(trial, seed)
      Tune::Search.new(limit: @limit, seconds: @search_s, seed:, cpus: [])
                          .call(trial.target, slots: trial.slots)
    end

    def setup(variant)
      Trial::Setups.new.for(@study, variant).tap { |setup| setup.bundle.install }
    end

    def warm_up(target)
      driver = Drivers.fetch("native").new(targets: [target], cpus: [])
      driver.run([Load::Step.new(targets: [0], duration_ns: WARM_UP_S * 1_000_000_000)])
    ensure
      driver&.close
    end
  end
end
