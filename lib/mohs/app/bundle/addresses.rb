# frozen_string_literal: true

module Mohs
  class App
    class Bundle
      # Secrets in the addresses that a Gemfile, a lock, Bundler's settings or its output contain:
      # a login or a token before the host, a token in the path, any value in the query. Pure.
      module Addresses
        # What ends an address in such a text: a space, a quote or a bracket.
        PART = "[^\\s\"'`<>]"

        # What precedes the host, which Bundlers of 2.6 and 2.7 print in full: a user with a
        # password, or a token alone. Up to the last @, since a password may contain one, or a slash
        # that is not escaped. Only the user of git over SSH is no secret.
        USERINFO = %r{(?<=://)(?!git@(?!#{PART}*@))#{PART}+(?=@)}

        ADDRESS = %r{(?<scheme>[a-z]*)://(?:(?<userinfo>#{PART}*)@)?(?<place>#{PART}*)}

        # A segment of a path that reads as a name, such as that of a repository, however long.
        NAME = /\A[a-z]+\d*(?:[-_](?:[a-z]+\d*|\d+))*\z/

        # The secrets of all addresses in `text`, whole and in their parts.
        #: (String) -> Array[String]
        def self.secrets(text)
          found = text.to_enum(:scan, ADDRESS).flat_map do
            scheme, userinfo, place = $~.values_at(:scheme, :userinfo, :place)
            next [] if scheme == "file" # a folder of this machine

            path, _, query = place.partition("?")
            [*login(userinfo.to_s), *segments(path), *values(query)]
          end
          found.uniq.grep_v(Secrets::ORDINARY)
        end

        # `text` without what certainly is a secret in an address, wherever the address comes from.
        #: (String) -> String
        def self.mask(text)
          Secrets.in_addresses(text.gsub(USERINFO, Secrets::MASK)) { Secrets::MASK }
        end

        # URI takes what follows a slash for the path, and quotes the rest.
        def self.login(userinfo)
          return [] if userinfo == "git"

          [userinfo, *userinfo.split(":", 2), *userinfo.split("/")]
        end

        def self.segments(path)
          path.split("/").drop(1).grep(Secrets::TOKEN).grep_v(NAME)
        end

        # A field without a name may be a token, too.
        def self.values(query) = query.split(/[&;]/).map { |field| field.sub(/\A[^=]*=/, "") }
        private_class_method :login, :segments, :values
      end
    end
  end
end
