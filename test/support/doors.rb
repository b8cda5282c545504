# frozen_string_literal: true

require "mohs/core"
require "open3"
require "pty"
require "socket"

module Mohs
  # Keeps unit tests from sockets and processes: while a test of test/unit runs, anything that
  # would open a socket or start a process makes it fail, in every thread, even if the code under
  # test rescues the failure. What needs the real thing belongs below test/integration.
  module Doors
    UNIT = File.expand_path("../unit", __dir__)

    # What a unit test may not call: { owner => methods }.
    FORBIDDEN = {
      Kernel => %i[spawn system fork exec `],
      Kernel.singleton_class => %i[spawn system fork exec `],
      ::Process.singleton_class => %i[spawn fork exec daemon],
      IO.singleton_class => %i[popen],
      PTY.singleton_class => %i[spawn getpty],
      Socket => %i[initialize],
      Socket.singleton_class => %i[pair socketpair],
      TCPSocket => %i[initialize],
      TCPServer => %i[initialize],
      UDPSocket => %i[initialize],
      UNIXSocket => %i[initialize],
      UNIXSocket.singleton_class => %i[pair socketpair],
      UNIXServer => %i[initialize],
      Core.singleton_class => %i[supervise watchdog],
      Core::Engine => %i[run],
      Core::NullServer => %i[start],
    }.freeze

    # A Minitest::Assertion, which passes through assert_raises and every rescue of a StandardError.
    class Opened < Minitest::Assertion; end

    class << self
      # Whether the running test is a unit test; `take` ends it.
      attr_writer :closed

      # Called before each of the methods above. Minitest itself asks diff(1) how two values differ.
      def pass(name)
        return unless @closed

        from = caller_locations(2).find { |at| at.path != __FILE__ }
        return if from.path.end_with?("/minitest/assertions.rb")

        called = "#{name} from #{from}"
        (@opened ||= []) << called
        raise Opened, message(called)
      end

      # Opens the doors; returns what the test did while they were closed, or nil.
      def take
        @closed = false
        opened, @opened = @opened, nil
        message(opened.first) if opened
      end

      def unit?(file) = file.start_with?("#{UNIT}/")

      private

      def message(called)
        "a unit test opens no socket and starts no process (#{called}): " \
          "move it to test/integration, or give it a double"
      end
    end

    FORBIDDEN.each do |owner, names|
      label = owner.singleton_class? ? "#{owner.inspect[/Class:(.*)>/, 1]}." : "#{owner}#"
      owner.prepend(Module.new do
        names.each do |name|
          define_method(name) do |*arguments, **options, &block|
            Doors.pass("#{label}#{name}")
            super(*arguments, **options, &block)
          end
          private name if owner.private_method_defined?(name)
        end
      end)
    end
  end
end
