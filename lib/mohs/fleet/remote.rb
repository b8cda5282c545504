# frozen_string_literal: true

require "json"
require "open3"
require "shellwords"

module Mohs
  module Fleet
    # Another machine, reached by the user's own ssh: its configuration decides users, ports, keys
    # and jump hosts.
    class Remote
      # Lines of what ssh, or the host, says in place of an answer.
      SAID = 3

      #: String
      attr_reader :host

      # host: as ssh takes it. ruby: that of the host. ssh: the command. Raises UsageError.
      #: (String, ?ruby: String, ?ssh: Array[String]) -> void
      def initialize(host, ruby: "ruby", ssh: Process::Ssh::WORDS)
        @host = Process::Ssh.verified(host)
        @ruby = ruby
        @ssh = ssh
      end

      # Runs a program of Ruby there, with `input` as its DATA. It prints lines of JSON: hands each
      # to the block, and returns the last. Raises EnvironmentError if there is none.
      #: (String, String) ?{ (Hash[Symbol, untyped]) -> void } -> Hash[Symbol, untyped]
      def call(program, input, &block)
        said = []
        answer = nil
        talk("#{program}\n__END__\n".b + input.b) do |line|
          fields = parse(line)
          fields ? block&.call(fields) : said << line.strip
          answer = fields || answer
        end
        answer or raise EnvironmentError, silent(said)
      end

      private

      def parse(line)
        fields = JSON.parse(line, symbolize_names: true)
        fields if fields.is_a?(Hash)
      rescue JSON::ParserError
        nil
      end

      # Lines that the host prints, as they come.
      def talk(text)
        command = Process::Ssh.command(@host, "#{Shellwords.escape(@ruby)} -", ssh: @ssh)
        Open3.popen2e(*command) do |to, from, waiter|
          writer = Thread.new { write(to, text) }
          from.each_line { |line| yield Process::Text.utf8(line) }
          writer.join
          ended = true
        ensure
          stop(waiter.pid) unless ended
        end
      rescue Errno::ENOENT
        raise EnvironmentError, "ssh is not installed here."
      end

      def write(pipe, text)
        pipe.binmode
        pipe.write(text)
      rescue Errno::EPIPE
        nil # it says why in what it prints
      ensure
        pipe.close
      end

      def stop(pid)
        ::Process.kill(:TERM, pid)
      rescue Errno::ESRCH
        nil
      end

      def silent(said)
        last = said.reject(&:empty?).last(SAID).join(" ")
        last.empty? ? "it ended without an answer" : last
      end
    end
  end
end
