# frozen_string_literal: true

require "json"
require "securerandom"

module Mohs
  module Probes
    # Asks processes that run inside/attest.rb about themselves, through the pipe that each has in
    # `folder`, the server's $MOHS_INSIDE.
    class Inquiry
      # CRuby answers in milliseconds. TruffleRuby took 1.8 s for its first answer, compiling all
      # the while, and 48 s on two cores for which twenty others waited.
      ANSWER_S = 10
      POLL_S = 0.001

      #: (String, ?answer_s: Numeric) -> void
      def initialize(folder, answer_s: ANSWER_S)
        @folder = folder
        @answer_s = answer_s
      end

      # `about` is "facts" or "figures", with what is to be done first behind it. { pid => its
      # answer, nil if none came in time }; processes that can't be asked are left out: helpers that
      # are no Ruby, and those that have ended. All are asked before the first answer is awaited.
      #: (String, Array[Integer]) -> Hash[Integer, Hash[String, untyped]?]
      def call(about, pids)
        word = SecureRandom.hex(4)
        deadline = Clock.deadline(@answer_s)
        asked = pids.select { |pid| ask(pid, "#{word} #{about}") }
        asked.to_h { |pid| [pid, await(File.join(@folder, "#{pid}.#{word}"), deadline)] }
      end

      private

      def ask(pid, line)
        path = File.join(@folder, "#{pid}.ask")
        File.open(path, File::WRONLY | File::NONBLOCK) { |pipe| pipe.write("#{line}\n") }
        true
      rescue SystemCallError
        false
      end

      def await(path, deadline)
        sleep POLL_S until File.exist?(path) || Clock.mono_ns > deadline
        text = File.read(path, encoding: Encoding::UTF_8)
        File.unlink(path)
        JSON.parse(text)
      rescue Errno::ENOENT
        nil
      end
    end
  end
end
