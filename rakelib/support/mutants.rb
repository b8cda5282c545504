# frozen_string_literal: true

# Mutants: small mistakes made in the code on purpose. The share of them that the tests notice
# shows how good the tests are. `rake mutants` runs this file; docs/adr/0008-mutants.md says why it
# is our own.

require "io/wait"
require "minitest"
require "tmpdir"
%w[mutation operators sandbox suite survey trial equivalents rooms report session].each do |part|
  require_relative "mutants/#{part}"
end

# See above.
module Mutants
  # Raised if a session can't be held; its message says what to do.
  class Error < StandardError; end

  # Keeps minitest from running everything that is loaded at the end of this process.
  module NoAutorun
    #: () -> void
    def autorun = nil
  end

  # The exit status of `rake mutants` for these variables.
  #: (String, Hash[String, String], ?rooms: Hash[String, [Array[String], Array[String]]], ?out: IO) -> Integer
  def self.run(root, env, rooms: ROOMS, out: $stdout)
    options = Session::Options.from(env, rooms.keys)
    equivalents = Equivalents.load(File.join(root, "rakelib/support/mutants/equivalent.yml"))
    session = Session.new(root, options, rooms:, equivalents:, out:)
    return session.list ? 0 : 1 if env["LIST"]

    with_tests { session.call } ? 0 : 1
  rescue Interrupt
    130
  rescue Error => e
    $stderr.puts e.message # `warn` raises where the tests' common part is loaded
    2
  end

  # Loads the tests' common part, once for all mutants; it must not load anything that is mutated.
  # Temporary files of killed tests are removed with the folder.
  def self.with_tests
    Dir.mktmpdir("mutants") do |folder|
      ENV["TMPDIR"] = folder
      Minitest.singleton_class.prepend(NoAutorun)
      require "test_helper"
      yield
    end
  end
  private_class_method :with_tests
end

if $PROGRAM_NAME == __FILE__
  status = Mutants.run(File.realpath(ARGV.first || File.join(__dir__, "../..")), ENV.to_h)
  $stdout.flush
  exit!(status) # past at_exit, where minitest waits
end
