# frozen_string_literal: true

require "test_helper"

# The contract of servers: every server on every Ruby found here that it runs on.
class EveryServerSuiteTest < Mohs::TestCase
  Mohs::Rubies.all.select(&:ok?).each do |ruby|
    Mohs::Servers.offered.each do |server|
      next unless server.capabilities.fetch(:engines).include?(ruby.engine)
      next if server.outgrown?(ruby)

      Mohs::ServerSuite.define(self, server, ruby)
    end
  end
end
