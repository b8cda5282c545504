# frozen_string_literal: true

module Mohs
  # Processes that are stopped.
  module HeldProcess
    private

    # Nothing of the process runs while the block does: it does not end meanwhile, however long the
    # block takes, and none of its threads responds.
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
