# frozen_string_literal: true

module Mohs
  class App
    # A service that an application's own configuration asks for: `service`, its name in Services;
    # `by`, the file that says so; `host` and `port`, where it is expected (nil: the default of that
    # service's clients); `variables` of the environment that override these.
    class Need < Struct.new(:service, :by, :host, :port, :variables, keyword_init: true)
      include Value

      DATABASE = "config/database.yml"

      # Files in which an application may say where a service without databases is.
      CONFIGURATION = "config/**/*.{rb,yml}"

      class << self
        # gems: the names of those in the application's lockfile.
        #: (String, database: App::Database?, gems: Array[String]) -> Array[App::Need]
        def all(dir, database:, gems:)
          others = Services.offered.select { |one| one.client?(gems) && !one::DATABASES }
          [of_database(database), *others.map { |member| of_configuration(member, dir) }].compact
        end

        private

        def of_database(database)
          service = Services.offered.find do |member|
            member::DATABASES && member::SCHEMES.include?(database&.adapter)
          end
          service && new(service: service.label, by: DATABASE,
                         **database.to_h.slice(:host, :port, :variables))
        end

        # By the first file of the configuration that says so.
        def of_configuration(member, dir)
          files = Dir[File.join(dir, CONFIGURATION)].sort
          path = files.find { |file| text(file).match?(member::SOUGHT) } or return
          host, port = member.place_in(text(path))
          new(service: member.label, by: path.delete_prefix("#{dir}/"), host:, port:,
              variables: [])
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
