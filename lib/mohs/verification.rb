# frozen_string_literal: true

module Mohs
  # Finds out what servers really do with the Rubies of this machine: each is installed, booted with
  # an application of mohs's own, and tried (Examination). What a member of Servers claims and what
  # was seen are separate; nothing here turns one into the other.
  class Verification
    # The application that servers are asked to serve: it does what a client requests.
    APP = File.expand_path("inside/verification", __dir__)

    # The results so far.
    attr_reader :cache

    #: (?env: Hash[String, String], ?cache: Verification::Cache, ?setups: Trial::Setups, ?lock: Process::MachineLock) -> void
    def initialize(env: ENV.to_h, cache: Cache.new(folder: Folders.cache(env)),
                   setups: Trial::Setups.new(env:), lock: Process::MachineLock.new)
      @cache = cache
      @setups = setups
      @lock = lock
    end

    # Why mohs doesn't even try a server on a Ruby: the server claims not to run there, or its
    # program is not installed. nil if nothing speaks against it.
    #: (singleton(Servers::Base), Rubies::Ruby) -> Reason?
    def self.refusal(server, ruby)
      return ruby.reason unless ruby.ok?

      refused_settings(server, ruby, **server.parse(nil))
    end

    # The same for a server with these settings.
    #: (singleton(Servers::Base), Rubies::Ruby, **untyped) -> Reason?
    def self.refused_settings(server, ruby, **settings)
      @app ||= App::Folder.load(APP)
      server.new(Servers::Settings.new(**settings), app: @app).refusal(ruby)
    end

    # Tries one server on one Ruby and remembers the result. The block is called with each step of
    # the installation, and with :wait if another mohs is measuring.
    #: (singleton(Servers::Base), Rubies::Ruby) ?{ (String | Symbol) -> void } -> Verification::Result
    def call(server, ruby, &progress)
      progress ||= proc {}
      facts = examine(server, ruby, progress)
      result = Result.new(server: server.label, ruby: ruby.name, engine: ruby.engine,
                          digest: ruby.digest, at_ms: Clock.real_ms, mohs: Mohs::VERSION,
                          **facts)
      @cache.store(result)
      result
    end

    private

    def examine(server, ruby, progress)
      reason = self.class.refusal(server, ruby)
      return refused(reason) if reason

      Process::ScratchFolder.with do |folder|
        examination = Examination.new(server, ruby, setups: @setups, folder:)
        bundle = examination.setup.bundle&.install(&progress)
        next refused(bundle.reason, log_tail: bundle.log_tail) if bundle && !bundle.ok?

        @lock.hold(wait: ->(_) { progress.call(:wait) }) { outcome(examination) }
      end
    end

    def outcome(examination)
      started = Clock.mono_ns
      traits = examination.call
      seconds = ((Clock.mono_ns - started) / 1e9).round(1)
      return refused(examination.reason, log_tail: examination.log_tail, seconds:) if traits.empty?

      { state: "verified", traits:, version: examination.version, seconds: }
    end

    def refused(reason, log_tail: nil, seconds: nil)
      { state: "refused", traits: {}, reason:, log_tail:, seconds: }
    end
  end
end
