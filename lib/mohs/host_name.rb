# frozen_string_literal: true

module Mohs
  # A host as addresses have it: an IPv6 address in brackets, since a port follows a colon.
  module HostName
    module_function

    # "[::1]:3000" or "127.0.0.1:3000", whether the host is in brackets or not.
    #: (String, Integer) -> String
    def at(host, port) = "#{bare(host).include?(':') ? "[#{bare(host)}]" : host}:#{port}"

    # Without brackets, as sockets take it.
    #: (String) -> String
    def bare(host) = host.delete_prefix("[").delete_suffix("]")
  end
end
