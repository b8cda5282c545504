# frozen_string_literal: true

module Mohs
  module Calibration
    # Servers of the application outside any comparison, booted as a trial boots them, and one
    # driver for all of them.
    class Server
      #: (app: String, ruby: String) -> void
      def initialize(app:, ruby:)
        app = App::Folder.load(app)
        study = Study::Builder.new(app:).call({ variants: [[nil, Study::Notation.parse(ruby)]] })
        @setup = Trial::Setups.new.for(study, study.variants.first)
        @setup.bundle.install
      end

      # One server per set of cores (nil: any), each loaded by its own thread on one of driver_cpus
      # (any if none are given).
      #: [T] (?cpus: Array[Array[Integer]?], ?driver_cpus: Array[Integer]) { (Calibration::Server) -> T } -> T
      def run(cpus: [nil], driver_cpus: [])
        @trials = []
        Dir.mktmpdir("mohs-calibration") do |folder|
          cpus.each_with_index { |cores, worker| boot(cores, worker, folder) }
          start_driver(driver_cpus)
          yield self
        ensure
          @driver&.close
          @trials.each(&:stop)
        end
      end

      # One step of load on all servers at once, duration_ns: or count:; returns their results.
      #: (**Integer) -> Array[Load::StepResult]
      def load(**step)
        @driver.run([Load::Step.new(targets: @trials.each_index.to_a, **step)])
      end

      # Sets the loop's rounds for each server.
      #: (Array[Integer]) -> void
      def burn(rounds)
        @clients.zip(rounds).each do |http, count|
          http.ask(App::Request.build(path: "/mohs-burn/#{count}"))
        end
      end

      private

      def boot(cpus, worker, folder)
        place = Cohort::Layout::Place.new(variant: @setup.variant.name, cpus:, worker:)
        trial = Trial.new(id: worker, setup: @setup, folder: File.join(folder, worker.to_s),
                          place:, spawner: Process::Spawner.new)
        @trials << trial
        %i[boot attest check].each { |stage| trial.public_send(stage) }
      end

      def start_driver(cpus)
        targets = @trials.map(&:target)
        @clients = targets.map { |target| Http::Client.new(host: target.host, port: target.port) }
        @driver = Drivers.fetch("native").new(targets:, threads: targets.size, cpus:, seed: 0)
        @trials.each_with_index { |trial, index| @driver.watch(index, trial.lasting) }
      end
    end
  end
end
