# frozen_string_literal: true

# Loaded after bundler/setup by the measured server and its worker, if jobs are measured (any Ruby
# from 2.4 on): the probe jobs, which any queue can run, and how they report. Each job appends its
# number to the file of its batch, whichever process runs it. A constant is defined when a queue
# first looks it up: by then, the application has loaded the queue's library.
module MohsJobs
  # Format of a number in the file of a batch: 32 bits.
  NUMBER = "L<"

  # A file in the server's $MOHS_JOBS, with a line for each batch that went wrong, and for each run
  # of a job whose batch had ended. Each line has a code, by which mohs decides, and a text for
  # people.
  FAULTS = "faults"

  # For each name of `api`: the constant that shows that the library is loaded, and the job's class.
  APIS = {
    "active_job" => ["ActiveJob::Base", :MohsActiveJob],
    "sidekiq" => ["Sidekiq::Client", :MohsSidekiqJob],
    "litejob" => ["Litejob", :MohsLitejob],
  }.freeze

  # Shared by the classes of probe jobs for a queue's own API.
  module Own
    # These jobs have no adapter.
    def mohs_adapter
      nil
    end

    # nil if a middleware of the application stops the job.
    def mohs_enqueue(path, number)
      perform_async(path, number)
    end
  end

  class << self
    # What a job does. If the job belongs to another server's batch, the figures are partly wrong.
    def ran(path, number)
      fault("elsewhere", "a job ran in a process of another server", path) unless ours?(path)
      append(path, [number].pack(NUMBER), File::WRONLY | File::APPEND)
    rescue Errno::ENOENT # the batch has ended
      fault("late", "a job ran again, or after the time limit", path)
    end

    # Appends a line to the faults of the server that enqueued the batch with this path.
    def fault(code, text, path)
      append(File.join(File.dirname(path), FAULTS), "#{code} #{text}\n",
             File::WRONLY | File::APPEND | File::CREAT)
    rescue Errno::ENOENT
      nil # that server has exited
    end

    private

    def ours?(path)
      File.dirname(path) == ENV["MOHS_JOBS"]
    end

    # A single write to a file opened for appending: writes of other processes can't interleave.
    def append(path, bytes, mode)
      File.open(path, mode) { |file| file.syswrite(bytes) }
    end
  end
end

MohsJobs::APIS.each { |api, (_, job)| Object.autoload(job, File.join(__dir__, "jobs", "#{api}.rb")) }
