# frozen_string_literal: true

require "json"
require "securerandom"

module Mohs
  module Probes
    # Asks processes that run inside/attest.rb about themselves, through the pipe that each has in
    # `folder`, the server's $MOHS_INSIDE.
    class Inquiry
      # CRuby answers in milliseconds. TruffleRuby took 1.8 s for its first answer, compiling all
      # the while, and 48 s on two cores for which twenty other processes were waiting.
      ANSWER_S = 10
      POLL_S = 0.001

      #: (String, ?answer_s: Numeric) -> void
      def initialize(folder, answer_s: ANSWER_S)
        @folder = folder
        @answer_s = answer_s
        @silent = []
      end

      # about: "facts" or "figures", followed by what is to be done first. Returns { pid => answer
      # }, nil if no answer came in time. Processes that can't be asked are left out: helpers that
      # are not Ruby, and those that have ended. All are asked before the first answer is awaited. A
      # process that did not answer once is not asked again: waiting for it would take as long each
      # time.
      #: (String, Array[Integer]) -> Hash[Integer, Hash[String, untyped]?]
      def call(about, pids)
        word = SecureRandom.hex(4)
        deadline = Clock.deadline(@answer_s)
        asked = pids.select { |pid| @silent.include?(pid) || ask(pid, "#{word} #{about}") }
        answers = asked.to_h do |pid|
          [pid, (await(pid, word, deadline) unless @silent.include?(pid))]
        end
        @silent |= answers.select { |_, answer| answer.nil? }.keys
        answers
      end

      private

      def ask(pid, line)
        pipe(pid) { |pipe| pipe.write_nonblock("#{line}\n") }
        true
      rescue SystemCallError
        false
      end

      def pipe(pid, &)
        File.open(File.join(@folder, "#{pid}.ask"), File::WRONLY | File::NONBLOCK, &)
      end

      # Waits until there is an answer, the deadline passes, or nobody reads the pipe any more.
      def await(pid, word, deadline)
        path = File.join(@folder, "#{pid}.#{word}")
        sleep POLL_S until File.exist?(path) || Clock.mono_ns > deadline || deaf?(pid)
        text = File.read(path, encoding: Encoding::UTF_8)
        File.unlink(path)
        JSON.parse(text)
      rescue Errno::ENOENT, JSON::ParserError
        nil
      end

      def deaf?(pid)
        pipe(pid, &:close)
        false
      rescue SystemCallError
        true
      end
    end
  end
end
