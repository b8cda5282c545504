# frozen_string_literal: true

require "securerandom"
require "json"
require "fileutils"

module Mohs
  # Values that only the server may read: variables and headers that look like secrets. Decides by
  # name and shape; Secrets::Vault keeps them for a run.
  module Secrets
    # Replaces a secret in anything that is shown.
    MASK = "[secret]"

    # Names whose values are secrets: SECRET_KEY_BASE, STRIPE_API_KEY, Authorization, Cookie.
    NAME = /KEY|SECRET|TOKEN|PASSW|PASSPHRASE|CREDENTIAL|AUTH|PRIVATE|COOKIE|SALT/i

    # Shapes that are secrets under any name: a long word of letters and digits mixed, and a PEM.
    TOKEN = /\A(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])[\w+=-]{20,}\z|-----BEGIN /

    # The password of an address, in its authority (greedy: it may hold an unescaped @) or query.
    IN_ADDRESS = %r{(?<=://)(?<before>[^\s/:@]*:)(?<secret>[^\s/]+)(?=@)|
                    (?<before>[?&][^\s=&]*(?:#{NAME.source})[^\s=&]*=)(?<secret>[^\s&]+)}xi

    # NAME=value in a variant ("3.4.5, A=1, B='x y'"), or alone.
    ASSIGNMENT = /(?<![\w-])(?<name>[A-Za-z_]\w*)=
                  (?<value>(?:"[^"]*"|'[^']*'|\\.|[^\s,"'\\]|,(?=\S))+)/x
    HEADER = /\A(?<option>(?:--header=|-H)?)(?<name>[\w-]+):(?<space>\s*)(?<value>.+)\z/m
    WHOLE = /\A(?<option>(?:--env=)?)(?<name>[A-Za-z_]\w*)=(?<value>.*)\z/m

    # What follows the space after a header's name is as secret as what follows it at once.
    OPTIONS = { "--env" => WHOLE, "--header" => HEADER, "-H" => HEADER }.freeze

    module_function

    # `value` with each secret in it replaced by the block's result.
    #: (String, String) { (String) -> String } -> String
    def replace(name, value)
      return value if value.empty?
      return yield(value) if name.match?(NAME) || value.match?(TOKEN)

      value.gsub(IN_ADDRESS) { "#{$~[:before]}#{yield $~[:secret]}" }
    end

    # `value` as it may be shown.
    #: (String, String) -> String
    def mask(name, value) = replace(name, value) { MASK }

    # A command line as it may be shown.
    #: (Array[String]) -> Array[String]
    def mask_argv(argv)
      [nil, *argv].each_cons(2).map { |option, word| mask_word(word, option) }
    end

    def mask_word(word, option)
      found = OPTIONS[option]&.match(word) || [HEADER, WHOLE].find { |kind| glued?(kind, word) }
                                                             &.match(word)
      return mask_found(found) if found

      word.gsub(ASSIGNMENT) { "#{$~[:name]}=#{mask($~[:name], $~[:value])}" }
          .gsub(IN_ADDRESS) { "#{$~[:before]}#{MASK}" }
    end

    def glued?(kind, word) = !kind.match(word)&.[](:option).to_s.empty?

    def mask_found(found)
      between = found.names.include?("space") ? ":#{found[:space]}" : "="
      "#{found[:option]}#{found[:name]}#{between}#{mask(found[:name], found[:value])}"
    end
    private_class_method :mask_word, :glued?, :mask_found

    # Keeps the secrets of an unfinished run out of the store, which may be a database that others
    # read: in a file that only the person can read. The stored study has references in their place,
    # "[secret 5f3c9a1b2c3d4e5f/0]".
    class Vault
      REFERENCE = %r{\[secret (?<file>\h{16})/(?<number>\d+)\]}

      #: (?env: Hash[String, String]) -> void
      def initialize(env: ENV.to_h)
        @env = env
      end

      # The study as it may be stored. Writes the file if there is a secret.
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

      # The study with its secrets. Raises EnvironmentError if they are not here.
      #: (Study) -> Study
      def open(study)
        study.map_values do |name, value|
          value.gsub(REFERENCE) { read($~[:file], name).fetch($~[:number].to_i) }
        end
      end

      # Deletes the run's secrets.
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
        raise EnvironmentError, "the value of #{name} is a secret, kept only for the user and on " \
                                "the machine that started the run (#{path(id)}): start a new run"
      end

      def path(id) = File.join(folder, "#{id}.json")

      def folder = File.join(Folders.data(@env), "secrets")
    end
  end
end
