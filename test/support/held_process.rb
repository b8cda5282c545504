# frozen_string_literal: true

module Mohs
  # Processes that stand still.
  module HeldProcess
    private

    # Nothing of the process runs while the block does: neither ends it meanwhile, however long the
    # block takes, nor does one of its threads answer.
    def held(pid)
      ::Process.kill("STOP", pid)
      sleep 0.001 until Dir["/proc/#{pid}/task/*/stat"].all? { |task| stopped?(File.read(task)) }
      yield
    ensure
      ::Process.kill("CONT", pid)
    end

    def stopped?(stat) = stat[/.*\) (.)/m, 1] == "T"
  end
end
