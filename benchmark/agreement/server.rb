# frozen_string_literal: true

require "tmpdir"
require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "mohs"

module Mohs
  # A server of a folder here under a number of connections, booted as a trial boots it.
  class AgreementServer
    attr_reader :trial, :target

    # Yields one; it has ended when this returns. app: a folder here, or a path. notation: such as
    # "puma:2x1". connections: nil: as many as usual. cpus: its cores; nil: all. env: of the server.
    #: [R] (app: String, notation: String, path: String, ?connections: Integer?, ?cpus: Array[Integer]?, ?env: Hash[String, String]) { (AgreementServer) -> R } -> R
    def self.with(**options)
      Dir.mktmpdir("mohs-agreement") do |folder|
        server = new(folder:, **options)
        yield server
      ensure
        server&.stop
      end
    end

    def initialize(app:, notation:, path:, folder:, connections: nil, cpus: nil, env: {})
      @path = path
      @notation = notation
      @env = env
      place = Cohort::Layout::Place.new(cpus:, worker: 0)
      @trial = Trial.new(id: 0, setup: setup(app, connections), folder:, place:,
                         spawner: Process::Spawner.new)
      @trial.boot
      @trial.attest
      @trial.check
      @target = @trial.target
    end

    def to_s = @notation

    def url = "http://127.0.0.1:#{@target.port}#{@path}"

    # Requests that it works on at a time; nil if that is not known.
    def slots = Analysis::ConnectionsExceedThreads.slots(@trial.attested.to_h)

    # Sends a signal to each of its processes.
    def signal(name) = @trial.pids.each { |pid| ::Process.kill(name, pid) }

    def stop = @trial.stop

    private

    def setup(app, connections)
      app = App::Folder.load(File.expand_path(app, __dir__))
      declaration = { variants: [[nil, Study::Notation.parse(@notation)]], env: @env, connections: }
      study = Study::Builder.new(app:).call(
        declaration.compact, requests: [App::Request.new(method: "GET", path: @path)]
      )
      setup = Trial::Setups.new.for(study, study.variants.first)
      setup.bundle.install
      setup
    end
  end
end
