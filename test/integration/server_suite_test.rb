# frozen_string_literal: true

require "test_helper"

# The contract of servers on the Ruby of the tests: of one that does most of what servers can; with
# --all of all that are installed in seconds. test/slow/server_suite_test.rb has the others, and the
# other Rubies.
class ServerSuiteTest < Mohs::TestCase
  QUICK = %w[puma webrick pitchfork].freeze
  RUBY = Mohs::Rubies.find(RbConfig.ruby)

  names = ENV["MOHS_TEST_ALL"] ? QUICK : QUICK.first(1)
  names.each { |name| Mohs::ServerSuite.define(self, Mohs::Servers.fetch(name), RUBY) }
end
