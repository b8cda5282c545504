# frozen_string_literal: true

require "uri"

module Mohs
  class Store
    # Where the store is: an SQLite file, or the URL of a PostgreSQL database. Opens nothing.
    class Location
      # Options of a session (postgresql.org/docs/current/libpq-envars.html) for a process whose
      # servers must not get them, as they would get PGOPTIONS. It takes precedence over that.
      OPTIONS = "MOHS_PGOPTIONS"

      # Names of parameters whose values are secrets (password, sslpassword, oauth_client_secret,
      # scram_client_key: postgresql.org/docs/current/libpq-connect.html).
      SECRET = /password|secret|scram_/i

      # Without the URL, and so without a password that nobody could find in it.
      MALFORMED_URL = "MOHS_DATABASE_URL is not a valid URL. Percent-encode what is special in a " \
                      "user name or password (%20 for a space, %23 #, %25 %, %2F /, %3F ?, " \
                      "%40 @), and check the port.".freeze

      # An explicit `url` takes precedence over MOHS_DATABASE_URL, which takes precedence over the
      # file in the user's data folder. A value without a scheme is a path.
      #: (String?, Hash[String, String]) -> void
      def initialize(url, env)
        @env = env
        @url = [url, env["MOHS_DATABASE_URL"]].find { |given| given && !given.empty? }
      end

      # The database's file, absolute; nil for a database server.
      #: () -> String?
      def path
        return File.join(Folders.data(@env), "mohs.db") unless @url
        return File.expand_path(@url) unless @url.match?(/\A[a-z]\w*:/i)

        file = @url[%r{\Asqlite:(?://)?(.+)}, 1]
        file && File.expand_path(file)
      end

      # Is it the default file? Then its folder belongs to mohs alone.
      #: () -> bool
      def usual? = @url.nil?

      # What the URL says of a session, decoded, by the names of libpq. Raises StoreError.
      #: () -> Hash[Symbol, String]
      def parameters
        raise StoreError, unknown unless @url.match?(%r{\Apostgres(ql)?:})

        address = uri or raise StoreError, MALFORMED_URL
        pairs = query(address).to_h { |name, value| [name.to_sym, value] }
        parts = { host: address.hostname, port: address.port, user: address.user,
                  password: address.password, dbname: address.path.delete_prefix("/") }
        given = parts.compact.transform_values { |part| decoded(part.to_s) }
        { **given.reject { |_, value| value.empty? }, **pairs }
      end

      # Options of its sessions; nil: those of PGOPTIONS.
      #: () -> String?
      def options = @env[OPTIONS]

      # For messages: without passwords.
      #: () -> String
      def to_s = path || masked

      private

      def unknown = "MOHS_DATABASE_URL: #{self} is neither postgres://... nor sqlite://FILE"

      # nil of a URL with a part that isn't percent-encoded, as far as that can be seen: a password
      # with a # or / in it leaves the rest, with the @ behind it, in another part.
      def uri
        address = URI.parse(@url)
        known = !address.opaque && !address.fragment && !address.path.include?("@") &&
                !@url.include?("%00")
        address if known && decoded(@url).valid_encoding? &&
                   query(address).all? { |name, value| name.match?(/\A\w+\z/) && value }
      rescue URI::Error
        nil
      end

      # Pairs; without a value of what is none.
      def query(address)
        address.query.to_s.split("&").map { |pair| pair.split("=", 2).map { |one| decoded(one) } }
      end

      # A plus stays one, unlike in a form.
      def decoded(text)
        text.b.gsub(/%(\h\h)/) { [Regexp.last_match(1)].pack("H2") }.force_encoding("UTF-8")
      end

      # Nobody knows where the password of a malformed URL begins and ends: before the last @.
      def masked
        user = uri ? %r{(//[^:/?@]*:)[^/?@]*@} : %r{\A(\w+:(?://)?).*@}m
        @url.sub(user, '\1***@').gsub(/(?<=[?&])[^&]+/) { |pair| without_secret(pair) }
      end

      # What is no pair may be the rest of a password with an & in it.
      def without_secret(pair)
        name, mark, = pair.partition("=")
        return "***" if mark.empty?

        decoded(name).match?(SECRET) ? "#{name}=***" : pair
      end
    end
  end
end
