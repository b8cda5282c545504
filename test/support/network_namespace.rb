# frozen_string_literal: true

require "open3"

module Mohs
  # A separate host as far as networks go: a namespace with a cable to this host, which can be
  # pulled. Needs root and ip (iproute2).
  class NetworkNamespace
    NETWORK = "10.213.%d.%d"
    # This host's address for the first namespace.
    ADDRESS = format(NETWORK, 77, 1)

    # Why there can't be one here; nil if there can.
    #: () -> String?
    def self.missing
      return "network namespaces need root" unless ::Process.uid.zero?

      probe = "mohs-probe-#{::Process.pid}"
      _, status = Open3.capture2e("ip", "netns", "add", probe)
      return "no network namespace can be made here" unless status.success?

      Open3.capture2e("ip", "netns", "delete", probe)
      nil
    rescue SystemCallError
      "ip is not installed (Debian: iproute2)"
    end

    # number: of several at once, each with a network of its own, from which this host can be
    # reached by any of its addresses.
    #: (?Integer) -> void
    def initialize(number = 0)
      @name = "mohs-#{::Process.pid}-#{number}"
      @cable = "mohs#{::Process.pid % 10_000}-#{number}"
      ours, theirs = [1, 2].map { |host| format(NETWORK, 77 + number, host) }
      ip "netns", "add", @name
      ip "link", "add", @cable, "type", "veth", "peer", "name", "far", "netns", @name
      ip "address", "add", "#{ours}/24", "dev", @cable
      ip "link", "set", @cable, "up"
      inside "address", "add", "#{theirs}/24", "dev", "far"
      %w[far lo].each { |link| inside "link", "set", link, "up" }
      inside "route", "add", "default", "via", ours
    end

    # The words that start a command there.
    #: () -> Array[String]
    def within = ["ip", "netns", "exec", @name]

    #: () -> void
    def pull = ip("link", "set", @cable, "down")

    #: () -> void
    def remove
      Open3.capture2e("ip", "link", "delete", @cable)
      Open3.capture2e("ip", "netns", "delete", @name)
    end

    private

    def inside(*words) = ip("-n", @name, *words)

    def ip(*words)
      output, status = Open3.capture2e("ip", *words)
      raise "ip #{words.join(' ')}: #{output}" unless status.success?
    end
  end
end
