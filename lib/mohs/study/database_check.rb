# frozen_string_literal: true

module Mohs
  class Study
    # Finds out, before gems are installed, that Rails won't find its database: config/database.yml
    # is missing, or names an adapter whose gem is not locked.
    class DatabaseCheck
      FILE = App::Need::DATABASE
      VARIABLE = Services::Postgresql::VARIABLE

      # env: that of the user's shell.
      #: (?env: Hash[String, String]) -> void
      def initialize(env: ENV.to_h)
        @env = env
      end

      # Raises UsageError with what to type. A commit has the file of the folder.
      #: (Study) -> void
      def call(study)
        servers = study.variants.reject(&:url)
        return if study.service_names.any? { |name| Services.fetch(name)::DATABASES } ||
                  servers.all? { |one| { **@env, **study.env, **one.env }[VARIABLE] }

        gems = App::Folder.clients(study.app)
        missing(study.app, gems)
        stranger(study.app, gems) unless servers.any? { |one| one.gemfile || one.revision }
      end

      private

      def missing(dir, gems)
        templates = App::Database.unmade(dir, gems:)
        return if templates.empty?

        raise UsageError, "#{FILE} is missing in #{dir}. Make it: #{copy(templates)}; or name a " \
                          "database: #{elsewhere(gems)}#{more_templates(dir)}"
      end

      def stranger(dir, gems)
        adapter = App::Database.read(dir)&.adapter
        known = Services.databases(gems)
        return if known.any? { |member| member::SCHEMES.include?(adapter) } ||
                  Services.databases.none? { |member| member::SCHEMES.include?(adapter) }

        templates = App::Database.templates_for(dir, gems)
        again = "Make it again: #{copy(templates)}; or name" if templates.any?
        raise UsageError, "#{FILE} in #{dir} names the adapter #{adapter}, whose gem is not in " \
                          "the lockfile. #{again || 'Name'} a database: #{elsewhere(gems)}"
      end

      def copy(templates)
        first, *others = templates
        ["cp #{first} #{FILE}", *("(or #{others.join(' or ')})" if others.any?)].join(" ")
      end

      def elsewhere(gems)
        first, *others = Services.databases(gems).map(&:label)
        "--env #{VARIABLE}=..., or let mohs start a private one: " +
          ["--service #{first}", *("(or #{others.join(' or ')})" if others.any?)].join(" ")
      end

      # The application would miss their files one after the other.
      def more_templates(dir)
        folder, name = ::File.split(FILE)
        found = App::Untemplated.all(::File.join(dir, folder), but: name)
        return if found.empty?

        ". There are more templates without their file: " \
          "#{found.map { |one| ::File.join(folder, one) }.join(', ')}"
      end
    end
  end
end
