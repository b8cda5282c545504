# frozen_string_literal: true

require "digest"
require "rbconfig"

module Mohs
  # Several hosts that share a PostgreSQL store. Each cohort of a run is a job: one host measures
  # it (Worker), and it counts once even if processes die meanwhile (Attempt). The mohs that the
  # user started submits the cohorts and follows them (Coordinator), through Que (Queue) or Slurm.
  module Fleet
    # What makes two hosts of one kind, beside their memory and the version of mohs: figures of
    # different kinds differ by more than chance.
    KIND = %i[cpu cores virtual governor].freeze
    GIGABYTE = 2**30

    module_function

    # Queue of the jobs that are bound to a host. A mohs of another version may read a study in
    # another way, or measure differently: a host that is updated takes none of these jobs.
    #: (String, ?version: String) -> String
    def queue_of(host, version: VERSION) = "host_#{host}@#{version}"

    # The name of the host that the jobs of this queue are bound to; nil if to none.
    #: (String) -> String?
    def host_of(queue) = queue[/\Ahost_(.+)@/, 1]

    # Queue of the jobs that any host of a kind, and of a version, may take. fingerprint: of
    # Probes::Host.
    #: (Hash[Symbol, untyped], ?version: String) -> String
    def queue_of_kind(fingerprint, version: VERSION)
      parts = [*fingerprint.values_at(*KIND),
               (fingerprint[:memory_bytes].to_f / GIGABYTE).round, version]
      "fp_#{Digest::SHA256.hexdigest(parts.join("\0"))[0, 8]}"
    end

    # Raises EnvironmentError of a store that its hosts can't share.
    #: (Store) -> void
    def shared(store)
      return if store.shared?

      raise EnvironmentError, "a fleet needs a store that its hosts share: set " \
                              "MOHS_DATABASE_URL=postgres://HOST/DATABASE on all of them."
    end

    # The command line of this mohs with these words, by the Ruby that runs it.
    #: (*String) -> Array[String]
    def mohs(*words)
      setup = File.join(Mohs.root, "vendor/bundle/bundler/setup.rb")
      own = File.file?(setup) ? ["-r", setup] : []
      [RbConfig.ruby, "-I", File.join(Mohs.root, "lib"), *own, File.join(Mohs.root, "exe/mohs"),
       *words]
    end

    # A host's name in queues, files and tables.
    #: (String) -> String
    def verified_name(text)
      return text if text.match?(/\A[\w.-]{1,60}\z/)

      raise UsageError, "invalid host name #{text.inspect}: use at most 60 of A-Z, a-z, 0-9, . _ -"
    end
  end
end
