# frozen_string_literal: true

require "fileutils"
require "json"
require "securerandom"

module Mohs
  module Secrets
    # Keeps the secrets of a run that is not finished out of the store, which may be a database that
    # others read: in a file that only the person can read. The stored study has references in their
    # place, "[secret 5f3c9a1b2c3d4e5f/0]".
    class Vault
      REFERENCE = %r{\[secret (?<file>\h{16})/(?<number>\d+)\]}

      #: (?env: Hash[String, String]) -> void
      def initialize(env: ENV.to_h)
        @env = env
      end

      # The study as it may be stored. Writes the file where there is a secret.
      #: (Study) -> Study
      def seal(study)
        id = SecureRandom.hex(8)
        secrets = []
        sealed = study.map_secrets do |secret|
          secrets << secret unless secrets.include?(secret)
          "[secret #{id}/#{secrets.index(secret)}]"
        end
        write(id, secrets) if secrets.any?
        sealed
      end

      # The study with its secrets. Raises EnvironmentError where they are not here.
      #: (Study) -> Study
      def open(study)
        study.map_values do |name, value|
          value.gsub(REFERENCE) { read($~[:file], name).fetch($~[:number].to_i) }
        end
      end

      # The run needs them no more.
      #: (Study) -> void
      def forget(study)
        ids = []
        study.map_values do |_, value|
          value.tap { ids |= value.scan(REFERENCE).map(&:first) }
        end
        ids.each { |id| FileUtils.rm_f(path(id)) }
      end

      private

      def write(id, secrets)
        FileUtils.mkdir_p(folder, mode: 0o700)
        File.write(path(id), JSON.generate(secrets), perm: 0o600)
      end

      def read(id, name)
        JSON.parse(File.read(path(id)))
      rescue SystemCallError
        raise EnvironmentError, "the value of #{name} is a secret, which only the machine and " \
                                "person that began the run have (#{path(id)}): measure anew"
      end

      def path(id) = File.join(folder, "#{id}.json")

      def folder = File.join(Folders.data(@env), "secrets")
    end
  end
end
