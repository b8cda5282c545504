# frozen_string_literal: true

# Runs inside the measured server: required through RUBYOPT by any Ruby from 2.0 on, of any engine,
# after what that engine and the server add to MohsInside (Probes::Inside): `jit`, `server_threads`,
# `server_release` and others. Each process creates a pipe, $MOHS_INSIDE/<pid>.ask, on which a
# thread waits. The response to a line "<word> facts" or "<word> figures" is one line of JSON in
# $MOHS_INSIDE/<pid>.<word>: what this process is, or numbers that change while it serves
# (Analysis::Measures lists them). Actions to perform first (`compact`, `warmup`) may follow on the
# line; the actions in $MOHS_BEFORE_FORK are performed before a process forks for the first time.
# The Ruby code here runs only on request; waits for the GVL, as far as CRuby reports them, are
# counted all the time, in C.
#
# It loads nothing but C of our own (EXTENSION): not socket (which activates the default gem io-wait
# before the application's Bundler can choose its own), not json. It prints nothing, and rescues all
# of its own errors: the application must not notice.
module MohsInside
  # Gems to report in addition to the servers.
  GEMS = %w[actionpack activerecord activerecord-jdbc-adapter bundler grape hanami jdbc-postgres
            jdbc-sqlite3 mysql2 nokogiri pg rack rails railties roda sequel sinatra sqlite3
            trilogy].freeze

  # The flags that this process was started with, including files of options; read early, because a
  # server may overwrite the command line with a title.
  FLAGS = begin
    File.binread("/proc/self/cmdline").split("\0").select { |word| word.start_with?("-", "@") }
  rescue SystemCallError
    nil
  end

  # Likewise, the environment at the start: Ruby and the allocator read theirs before the
  # application's code, such as dotenv, could change it. A name may be any bytes.
  ENVIRONMENT = ENV.to_h.select { |name, _| name.b =~ VARIABLES }.freeze

  # The application's folder, with links resolved, as in the paths of its files.
  HOME = begin
    File.realpath(Dir.pwd)
  rescue SystemCallError
    Dir.pwd
  end

  # The gem that a file belongs to, and its path there: "railties-8.1.3/lib/rails.rb".
  GEM_PATH = %r{.*/gems/([^/]+/.+)\z}

  # What can be requested besides facts; profile.rb handles the last two.
  ABOUT = %w[figures profile_start profile_stop].freeze

  # Attests forked processes too, in which their parent's thread does not run. If Ruby has no hook
  # (before 3.1), the three ways to fork are wrapped.
  module Hook
    def _fork
      MohsInside.before_fork
      super.tap { |pid| MohsInside.listen if pid == 0 }
    end
  end

  module Wrap
    def fork
      MohsInside.before_fork
      return super.tap { |pid| MohsInside.listen if pid.nil? } unless block_given?

      super do
        MohsInside.listen
        yield
      end
    end
  end

  class << self
    def start
      Dir.mkdir(folder) unless Dir.exist?(folder)
      block_jit if BLOCK_JIT && respond_to?(:block_jit)
      hook
      load_extension
      listen
      at_exit { hush }
    rescue StandardError, NotImplementedError
      nil
    end

    def listen
      @path = nil
      path = File.join(folder, "#{Process.pid}.ask")
      pipe = open_pipe(path)
      @path = path
      @thread = Thread.new { answer(pipe, path) }
      # Later than 2.2, and than 2.3.
      @thread.name = "mohs inside" if @thread.respond_to?(:name=)
      @thread.report_on_exception = false if @thread.respond_to?(:report_on_exception=)
    rescue StandardError, NotImplementedError
      nil
    end

    # Called when the application would have turned this JIT on, from a line of its own or of a gem;
    # `places` is empty if no line of Ruby calls. Another Ractor can't keep anything here.
    def jit_asked(jit, places)
      place = places.to_a.first
      path = place && (place.absolute_path || place.path.to_s)
      file = path && (path[GEM_PATH, 1] || path.sub("#{HOME}/", ""))
      @jit_by_app ||= { "jit" => jit, "where" => (file && "#{file}:#{place.lineno}") }
    rescue StandardError
      nil
    end

    # A server may fork one process that loads the application and forks the others: each forking
    # process performs the actions once.
    def before_fork
      return if @forking == Process.pid

      @forking = Process.pid
      prepare(ENV["MOHS_BEFORE_FORK"].to_s.scan(/\S+/))
    end

    private

    # Forked processes inherit the record of what was done. Both actions compact the heap; where
    # they return without doing so, as in JRuby, they don't count as done.
    def prepare(names)
      names.each do |name|
        before = GC.stat[:compact_count].to_i
        name == "warmup" ? Process.warmup : GC.compact
        @prepared = (prepared + [name]).uniq if GC.stat[:compact_count].to_i > before
      end
    rescue StandardError, NotImplementedError
      nil
    end

    # Ends the thread: JRuby waits for all threads before it exits, and a thread that reads a pipe
    # notices nothing else. Removes the pipe too, since an application may fork many processes.
    def hush
      return unless @path

      File.open(@path, File::WRONLY | File::NONBLOCK) { |pipe| pipe.write_nonblock("\n") }
      File.unlink(@path)
    rescue StandardError
      nil
    end

    def folder
      ENV["MOHS_INSIDE"]
    end

    # For writing too, so that reading never reaches an end of file. It gets its name once it is
    # open, so that a request is heard as soon as the pipe is there. It is there already if this
    # process became another Ruby, as under `bundle exec`.
    def open_pipe(path)
      return File.open(path, "r+") if File.pipe?(path)

      # Of a process of the same number, which ended before it gave the pipe its name.
      File.unlink("#{path}.new") if File.exist?("#{path}.new")
      make_pipe("#{path}.new")
      File.open("#{path}.new", "r+").tap { File.rename("#{path}.new", path) }
    end

    # Ruby can do it itself since 2.3.
    def make_pipe(path)
      return File.mkfifo(path, 0o600) if File.respond_to?(:mkfifo)

      system("mkfifo", "-m", "600", path)
    end

    def load_extension
      return unless EXTENSION

      require EXTENSION
      MohsGvlWait.start
    rescue LoadError
      nil
    end

    def hook
      if Process.respond_to?(:_fork)
        Process.singleton_class.prepend(Hook)
      elsif Process.respond_to?(:fork)
        # In 2.0 `prepend` is private.
        [Process.singleton_class, Kernel.singleton_class].each { |one| one.send(:prepend, Wrap) }
        Object.send(:prepend, Wrap.dup.tap { |copy| copy.send(:private, :fork) })
      end
    end

    # Any error ends it and closes the pipe: later requests then find no reader.
    def answer(pipe, path)
      # Doesn't use `$/` and `$;`, which an application may have set.
      until (words = pipe.gets("\n").scan(/\S+/)).empty?
        word, about, *names = words
        prepare(names)
        file = path.sub(/ask\z/, word[/\w+/].to_s)
        File.write("#{file}.new", "#{json(ABOUT.include?(about) ? attempt(about) : facts)}\n")
        File.rename("#{file}.new", file)
      end
    rescue StandardError, ScriptError
      nil
    ensure
      pipe.close
    end

    def facts
      names = %i[description engine version flags jit jit_by_app jit_code_bytes invokedynamic mn
                 threads serving_threads gc variables gems pool rails heap prepared]
      names.each_with_object("pid" => Process.pid) { |name, all| all[name.to_s] = attempt(name) }
    end

    # Figures that are nil are unknown.
    def figures
      (attempt(:engine_figures) || {}).merge(attempt(:pools) || {})
    end

    # nil: unknown.
    def attempt(name)
      send(name) if respond_to?(name, true)
    rescue StandardError, ScriptError
      nil
    end

    def description
      RUBY_DESCRIPTION
    end

    def engine
      RUBY_ENGINE
    end

    def version
      defined?(RUBY_ENGINE_VERSION) ? RUBY_ENGINE_VERSION : RUBY_VERSION # before 2.3
    end

    def flags
      FLAGS
    end

    def jit_by_app
      @jit_by_app
    end

    def prepared
      @prepared || []
    end

    def mn
      RUBY_DESCRIPTION.include?("+MN")
    end

    # All threads except ours.
    def threads
      Thread.list.size - 1
    end

    # Threads that take requests, judged by their names or counted by the server.
    def serving_threads
      count = server_threads
      count if count.to_i > 0
    end

    def gc
      GC.stat.select { |_, value| value.is_a?(Integer) }
    end

    def variables
      ENVIRONMENT
    end

    # Includes the server's release, if it is not a gem.
    def gems
      all = (GEMS | SERVERS).sort.each_with_object({}) do |name, found|
        spec = Gem.loaded_specs[name]
        found[name] = spec.version.to_s if spec
      end
      all.merge({ SERVER => attempt(:server_release) }.reject { |_, release| release.nil? })
    end

    # Database connections that one process may have at once; the smallest number if there are
    # several databases.
    def pool
      [*active_record_pool, *sequel_pools].min
    end

    def active_record_pool
      return nil if !defined?(::ActiveRecord) || ::ActiveRecord.autoload?(:Base)

      ::ActiveRecord::Base.connection_pool.size if ::ActiveRecord::Base.connected?
    end

    def sequel_pools
      ::Sequel::DATABASES.map { |database| database.pool.max_size } if defined?(::Sequel::DATABASES)
    end

    # Sums over all databases: size, open connections, busy ones, waiting threads.
    def pools
      rows = [*active_record_row, *sequel_rows]
      return {} if rows.empty?

      names = %i[pool_size pool_connections pool_busy pool_waiting]
      names.zip(rows.transpose.map { |column| column.reduce(:+) unless column.include?(nil) }).to_h
    end

    # The row of ActiveRecord::Base: a list with one element or none.
    def active_record_row
      return [] unless active_record_pool

      [::ActiveRecord::Base.connection_pool.stat.values_at(:size, :connections, :busy, :waiting)]
    end

    def sequel_rows
      return [] unless defined?(::Sequel::DATABASES)

      ::Sequel::DATABASES.map { |database| [database.pool.max_size, database.pool.size, nil, nil] }
    end

    def rails
      return nil unless defined?(::Rails.application) && ::Rails.application

      config = ::Rails.application.config
      { "env" => ::Rails.env.to_s, "version" => ::Rails.version.to_s,
        "eager_load" => config.eager_load ? true : false,
        "yjit" => config.respond_to?(:yjit) && config.yjit ? true : false,
        "log_level" => log_level, "cache" => cache, "jobs" => job_adapter(config) }
    end

    def log_level
      logger = ::Rails.logger if ::Rails.respond_to?(:logger)
      %w[debug info warn error fatal unknown][logger.level.to_i] if logger.respond_to?(:level)
    end

    # The class of the cache store; nil without one.
    def cache
      ::Rails.cache.class.name if ::Rails.respond_to?(:cache) && ::Rails.cache
    end

    # Where Active Job hands its jobs, such as "async" (the default) or "sidekiq"; nil if Rails runs
    # without it.
    def job_adapter(config)
      return nil unless config.respond_to?(:active_job)

      loaded = defined?(::ActiveJob) && !::ActiveJob.autoload?(:Base) && ::ActiveJob::Base
      name = loaded.queue_adapter_name if loaded.respond_to?(:queue_adapter_name)
      (name || config.active_job.queue_adapter || "async").to_s
    end

    def json(value)
      case value
      when Array then "[#{value.map { |item| json(item) }.join(',')}]"
      when Hash then "{#{value.map { |key, item| "#{string(key)}:#{json(item)}" }.join(',')}}"
      when nil then "null"
      when Integer, true, false then value.to_s
      else string(value)
      end
    end

    # Invalid UTF-8 and control characters would make the line unreadable.
    def string(value)
      text = valid(value.to_s.dup.force_encoding(Encoding::UTF_8))
      %("#{text.gsub(/["\\\x00-\x1f]/) { |character| format('\u%04x', character.ord) }}")
    end

    def valid(text)
      return text.scrub("?") if text.respond_to?(:scrub) # since 2.1

      text.each_char.map { |character| character.valid_encoding? ? character : "?" }.join
    end
  end
end

MohsInside.start if ENV["MOHS_INSIDE"] && !ENV["MOHS_INSIDE"].empty?
