# frozen_string_literal: true

require "io/wait"
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
      MOST_LINE = 1 << 16 # bytes; a longer one is no answer
      CHUNK = 1 << 14
      POLL_S = 1
      # Between two lines of JSON, that is for a step. The program itself gives each less.
      STEP_S = 900
      STOP_S = 2 # for ssh, after each signal

      #: String
      attr_reader :host

      # host: as ssh takes it. ruby: that of the host. ssh: the command. step_s: how long a step may
      # take. Raises UsageError.
      #: (String, ?ruby: String, ?ssh: Array[String], ?step_s: Numeric) -> void
      def initialize(host, ruby: "ruby", ssh: Process::Ssh::WORDS, step_s: STEP_S)
        @host = Process::Ssh.verified(host)
        @ruby = ruby
        @ssh = ssh
        @step_s = step_s
      end

      # Runs a program of Ruby there, with `input` as its DATA. It prints lines of JSON: hands each
      # to the block, and returns the last. Raises EnvironmentError if there is none, or the next
      # does not come in time.
      #: (String, String) ?{ (Hash[Symbol, untyped]) -> void } -> Hash[Symbol, untyped]
      def call(program, input, &block)
        said = []
        answer = nil
        talk("#{program}\n__END__\n".b + input.b) do |line|
          fields = parse(line)
          block&.call(fields) if fields
          said = [*said, line.strip].reject(&:empty?).last(SAID) unless fields
          answer = fields || answer
          fields
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

      # Yields lines that the host prints, as they come; a step is done where the block says so. No
      # process group of its own: ssh could not ask for a password.
      def talk(text, &)
        command = Process::Ssh.command(@host, "#{Shellwords.escape(@ruby)} -", ssh: @ssh)
        Open3.popen2e(*command) do |to, from, waiter|
          writer = Thread.new { write(to, text) }
          each_line(from, waiter, &)
          writer.join
          ended = true
        ensure
          stop(waiter) unless ended
        end
      rescue Errno::ENOENT
        raise EnvironmentError, "ssh is not installed here."
      end

      def each_line(from, waiter)
        deadline = Clock.deadline(@step_s)
        rest = "".b
        while (bytes = chunk(from, waiter, deadline))
          *lines, rest = (rest << bytes).split("\n", -1)
          lines, rest = [*lines, rest], "".b if rest.bytesize > MOST_LINE
          done = lines.map { |line| yield Process::Text.utf8(line) }.any?
          deadline = Clock.deadline(@step_s) if done
        end
        yield Process::Text.utf8(rest)
      end

      # nil once ssh has ended, even if something that it started has its output open.
      def chunk(from, waiter, deadline)
        begin
          raise EnvironmentError, late if Clock.mono_ns > deadline

          readable = from.wait_readable(POLL_S)
        end until readable || !waiter.alive?
        from.read_nonblock(CHUNK) if readable || from.wait_readable(0)
      rescue EOFError
        nil
      end

      def late
        "#{@host} has not answered for #{(@step_s / 60.0).ceil} min. Log in there to see what " \
          "keeps it busy, then run the same command again."
      end

      def write(pipe, text)
        pipe.binmode
        pipe.write(text)
      rescue Errno::EPIPE
        nil # it says why in what it prints
      ensure
        pipe.close
      end

      def stop(waiter)
        %i[TERM KILL].each do |signal|
          ::Process.kill(signal, waiter.pid)
          break if waiter.join(STOP_S)
        end
      rescue Errno::ESRCH
        nil
      end

      def silent(said)
        last = said.join(" ")
        last.empty? ? "it ended without an answer" : last
      end
    end
  end
end
