# frozen_string_literal: true

module Mohs
  # What still runs on behalf of a mohs whose data folder lies in a test's folder (MohsCommand puts
  # it there): every process below it has that folder in its environment.
  module Leftovers
    private

    # Their command lines, after they had so many seconds to end.
    def leftovers(dir, seconds = 2)
      wait_for(seconds) { processes(dir).empty? }
      processes(dir)
    end

    def processes(dir) = running(dir).values

    # { pid => command line }, found by their environment or, since Redis overwrites that with its
    # title, by a trial's scratch folder in their command line.
    def running(dir)
      scratch = %r{#{Regexp.escape(Dir.tmpdir)}/mohs-t\d}
      found = Dir.glob("/proc/[0-9]*").filter_map do |path|
        command = File.binread("#{path}/cmdline").tr("\0", " ")
        ours = File.binread("#{path}/environ").include?("XDG_DATA_HOME=#{dir}/data")
        [File.basename(path).to_i, command] if ours || command.match?(scratch)
      rescue SystemCallError
        nil
      end
      found.to_h
    end

    # A zombie that nobody has reaped yet has ended.
    def alive?(pid)
      !File.read("/proc/#{pid}/stat").rpartition(") ").last.start_with?("Z")
    rescue SystemCallError
      false
    end

    def wait_for(seconds)
      deadline = Clock.deadline(seconds)
      sleep 0.02 until yield || Clock.mono_ns > deadline
    end
  end
end
