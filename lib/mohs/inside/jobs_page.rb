# frozen_string_literal: true

# Loaded by the measured server after jobs.rb: adds the page /.mohs/jobs in front of the Rack
# application, in any server. GET /.mohs/jobs?count=200 enqueues 200 probe jobs, waits until the
# queue has run all of them, and responds 200; or 500 with the numbers if some did not run within
# the limit, or ran more than once. count=0 responds with the name of the queue, or 501 if there is
# none. `api` selects the queue, by its name in MohsJobs::APIS; by default, the first queue that is
# loaded.
#
# It is a page so that a batch is a request, and everything that mohs does with requests applies to
# batches.
require_relative "jobs"

module MohsJobs
  PATH = "/.mohs/jobs"

  # Middleware in front of the application.
  class Page
    def initialize(app)
      @app = app
    end

    def call(env)
      return @app.call(env) unless env["PATH_INFO"] == PATH && env["SCRIPT_NAME"].to_s.empty?

      status, text = MohsJobs.answer(env["QUERY_STRING"].to_s)
      body = "#{text}\n"
      [status, { "content-type" => "text/plain", "content-length" => body.bytesize.to_s }, [body]]
    end
  end

  # Every server calls this to build the application from its config.ru.
  module Builder
    def to_app
      Page.new(super)
    end
  end

  # Jobs that are enqueued together, and the file that they report to.
  class Batch
    # How long to wait before checking the file again: a share of the time that has passed so far,
    # but at least LEAST_S. So the time is known to within that share, and waiting costs little.
    SHARE = 0.01
    LEAST_S = 0.0005

    def initialize(path, count, limit_s)
      @path = path
      @count = count
      @limit_s = limit_s
    end

    # nil if each job ran exactly once, else what went wrong.
    def call(job)
      File.open(@path, File::RDWR | File::CREAT | File::EXCL, 0o600) do |file|
        failure = enqueue(job)
        await(file) unless failure
        File.unlink(@path) # a job that runs from now on finds no file
        code, text = fault(runs(file), failure)
        MohsJobs.fault(code, text, @path) if text
        text
      end
    end

    private

    # The thread's connections go back to their pool afterwards, as after a Rails request.
    def enqueue(job)
      wrapped do
        @count.times do |number|
          next if job.mohs_enqueue(@path, number)

          return "not enqueued: the queue refused job #{number + 1} of #{@count}"
        end
      end
      nil
    rescue StandardError => error
      "not enqueued: #{error.message.to_s.lines.first.to_s.strip} (#{error.class})"
    end

    def wrapped(&block)
      application = defined?(::Rails.application) && ::Rails.application
      application ? application.executor.wrap(&block) : yield
    end

    def await(file)
      start_s = now_s
      until ended?(file)
        past_s = now_s - start_s
        return if past_s > @limit_s

        sleep([LEAST_S, past_s * SHARE].max)
      end
    end

    def ended?(file)
      file.size >= @count * [0].pack(NUMBER).bytesize && runs(file).uniq.size >= @count
    end

    # The numbers of the jobs that ran, in order.
    def runs(file)
      file.rewind
      file.read.unpack("#{NUMBER}*")
    end

    # [code, text] with the first code and all texts; nil if nothing went wrong.
    def fault(runs, failure)
      counts = runs.group_by { |number| number }
      lost = @count - counts.size
      twice = counts.count { |_, same| same.size > 1 }
      found = []
      found << ["refused", failure] if failure
      found << ["lost", "#{lost} of #{@count} jobs did not run within #{limit} s"] \
        if lost > 0 && !failure
      found << ["twice", "#{twice} of #{@count} jobs ran more than once"] if twice > 0
      [found.first.first, found.map(&:last).join("; ")] if found.any?
    end

    def limit
      @limit_s.to_i == @limit_s ? @limit_s.to_i : @limit_s
    end

    def now_s
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end

  class << self
    # The status and text of the page for this query.
    def answer(query)
      count, api = query[/\bcount=(\d+)/, 1].to_i, query[/\bapi=(\w+)/, 1]
      found = queue(api)
      return [501, no_queue(api)] unless found
      return [200, [found.first, found.last.mohs_adapter].compact.join(" ")] if count == 0

      fault = Batch.new(path, count, limit_s).call(found.last)
      fault ? [500, fault] : [200, "jobs that ran once: #{count}"]
    rescue StandardError, ScriptError => error
      [500, "#{error.message} (#{error.class})"]
    end

    private

    # [api, class of the job] for the given api, or for the first one that is loaded; nil if there
    # is none.
    def queue(asked)
      APIS.each do |api, (library, job)|
        return [api, Object.const_get(job)] if [nil, api].include?(asked) && loaded?(library)
      end
      nil
    end

    def loaded?(library)
      Object.const_get(library)
    rescue NameError
      false
    end

    def no_queue(api)
      "#{api || APIS.keys.join(', ')}: not loaded by the application"
    end

    # Unique for each batch of a server, in all of its processes and threads.
    def path
      number = LOCK.synchronize { @batches = @batches.to_i + 1 }
      File.join(ENV.fetch("MOHS_JOBS"), "#{Process.pid}-#{number}")
    end

    def limit_s
      Float(ENV.fetch("MOHS_JOBS_LIMIT_S"))
    end
  end

  LOCK = Mutex.new
  private_constant :LOCK
end

begin
  if ENV["MOHS_JOBS"]
    require "rack"
    Rack::Builder.prepend(MohsJobs::Builder)
  end
rescue LoadError
  nil # without Rack in its bundle there is no page; mohs reports that
end
