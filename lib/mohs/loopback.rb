# frozen_string_literal: true

require "socket"

module Mohs
  # Which hosts are this machine. Load goes to these only, unless the user declares that another
  # host is theirs.
  module Loopback
    NAME = "localhost"

    module_function

    # Whether `host` ("localhost", "127.0.0.1", "::1" or "[::1]") is this machine by its spelling:
    # no name is resolved.
    #: (String?) -> bool
    def host?(host)
      return true if host == NAME

      numeric = Addrinfo.getaddrinfo(HostName.bare(host.to_s), nil, nil, :STREAM, nil, Socket::AI_NUMERICHOST)
      numeric.all? { |address| address?(address) }
    rescue SocketError
      false
    end

    # The same for an address that a name was resolved to.
    #: (Addrinfo) -> bool
    def address?(address) = address.ipv4_loopback? || address.ipv6_loopback?
  end
end
