# frozen_string_literal: true

require "fileutils"

module Mohs
  # An application whose requests take the same time, a part of which they wait.
  module WaitingApp
    # Seconds of a request, without the server's own part.
    REQUEST_S = 0.005

    # Computes for so long in CPU time of its thread, whatever the machine does meanwhile.
    RACKUP = <<~RUBY
      computes_s, waits_s = File.read(File.join(__dir__, "times")).split.map(&:to_f)
      clock = -> { Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID) }
      run lambda { |_env|
        till = clock.call + computes_s
        nil while clock.call < till
        sleep(waits_s) if waits_s.positive?
        [200, { "content-type" => "text/plain" }, ["done"]]
      }
    RUBY
    private_constant :RACKUP

    # Writes it into a folder of that folder, which it returns. waiting: the share, 0..1.
    #: (String, Float) -> String
    def self.write(folder, waiting)
      dir = File.join(folder, "waits#{(waiting * 100).round}")
      FileUtils.mkdir_p(dir)
      File.write(File.join(dir, "config.ru"), RACKUP)
      File.write(File.join(dir, "times"), [1 - waiting, waiting].map { _1 * REQUEST_S }.join(" "))
      dir
    end
  end
end
