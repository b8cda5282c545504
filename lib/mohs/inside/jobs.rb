# frozen_string_literal: true

# Loaded behind bundler/setup by the measured server and its worker, where jobs are measured (any
# Ruby from 2.5 on): the probe jobs, which any queue can run, and how they report. Each appends its
# number to the file of its batch, whichever process runs it. A constant is defined when a queue
# first asks for it by its name: its library has been loaded by the application then.
module MohsJobs
  # A number in the file of a batch: 32 bits.
  NUMBER = "L<"

  # In the server's $MOHS_JOBS: a line for each batch that went wrong, and for each run of a job
  # whose batch had ended. It has a code, by which mohs decides, and a text for people.
  FAULTS = "faults"

  # By the name in `api`: the constant that shows that the library is loaded, and that of the job.
  APIS = {
    "active_job" => ["ActiveJob::Base", :MohsActiveJob],
    "sidekiq" => ["Sidekiq::Client", :MohsSidekiqJob],
    "litejob" => ["Litejob", :MohsLitejob],
  }.freeze

  # What the probe jobs of a queue's own API have in common, in their class.
  module Own
    # They have no adapter.
    def mohs_adapter
      nil
    end

    # Nil if a middleware of the application stops it.
    def mohs_enqueue(path, number)
      perform_async(path, number)
    end
  end

  class << self
    # What a job does. If it is of another server's batch, it is a part of the wrong figures.
    def ran(path, number)
      fault("elsewhere", "a job ran in a process of another server", path) unless ours?(path)
      append(path, [number].pack(NUMBER), File::WRONLY | File::APPEND)
    rescue Errno::ENOENT # the batch has ended
      fault("late", "a job ran again, or after the time limit", path)
    end

    # Appends a line to the faults of the server that enqueued the batch of this path.
    def fault(code, text, path)
      append(File.join(File.dirname(path), FAULTS), "#{code} #{text}\n",
             File::WRONLY | File::APPEND | File::CREAT)
    rescue Errno::ENOENT
      nil # that server has ended
    end

    private

    def ours?(path)
      File.dirname(path) == ENV["MOHS_JOBS"]
    end

    # One write call of a file opened to append: no other process's can get into it.
    def append(path, bytes, mode)
      File.open(path, mode) { |file| file.syswrite(bytes) }
    end
  end
end

MohsJobs::APIS.each { |api, (_, job)| Object.autoload(job, File.join(__dir__, "jobs", "#{api}.rb")) }
