# frozen_string_literal: true

module Mohs
  class App
    # A service that an application's own configuration asks for: `service`, its name in Services;
    # `by`, the file that says so; `host` and `port`, where it is expected (nil: the default of that
    # service's clients); `variables` of the environment that override these.
    class Need < Struct.new(:service, :by, :host, :port, :variables, keyword_init: true)
      include Value

      DATABASE = "config/database.yml"

      # Files in which an application may name the address of a Redis or a Memcached.
      CONFIGURATION = "config/**/*.{rb,yml}"

      # A gem that is a Redis client. Rails generates a line for Redis in each config/cable.yml,
      # used or not.
      REDIS_GEM = /^ {4}redis(?:-client)? \(/
      REDIS_URL = %r{rediss?://(?:[^@/\s]*@)?([\w.-]+)(?::(\d+))?}

      # Rails asks the Memcached that the environment names if its store is given no address. It
      # generates a line for that in each production.rb, as a comment.
      MEMCACHED_GEM = /^ {4}dalli \(/
      MEMCACHED_STORE = /^[^#\n]*(?::mem_cache_store\b(?!\s*,\s*["'])|
                         #{Services::Memcached::VARIABLE})/x

      class << self
        # lock: the text of the application's lockfile.
        #: (String, database: App::Database?, lock: String) -> Array[App::Need]
        def all(dir, database:, lock:)
          [of_database(database), of_redis(dir, lock), of_memcached(dir, lock)].compact
        end

        private

        def of_database(database)
          service = Services.offered.find do |member|
            member::DATABASES && member::SCHEMES.include?(database&.adapter)
          end
          service && new(service: service.label, by: DATABASE,
                         **database.to_h.slice(:host, :port, :variables))
        end

        def of_redis(dir, lock)
          return unless lock.match?(REDIS_GEM)

          path = configuration(dir, Services::Redis::VARIABLE)
          host, port = REDIS_URL.match(text(path))&.captures if path
          path && new(service: "redis", by: path.delete_prefix("#{dir}/"), host:, port:,
                      variables: [])
        end

        def of_memcached(dir, lock)
          return unless lock.match?(MEMCACHED_GEM)

          path = configuration(dir, MEMCACHED_STORE)
          path && new(service: "memcached", by: path.delete_prefix("#{dir}/"), host: nil, port: nil,
                      variables: [])
        end

        # The first file of the configuration that has it.
        def configuration(dir, pattern)
          Dir[File.join(dir, CONFIGURATION)].sort.find { |file| text(file).match?(pattern) }
        end

        def text(path) = File.read(path, encoding: "UTF-8").scrub
      end

      # Does the environment say where the service is?
      #: (Hash[String, String]) -> bool
      def given?(env)
        [Services.fetch(service)::VARIABLE, *variables].any? { |name| !env[name].to_s.empty? }
      end
    end
  end
end
