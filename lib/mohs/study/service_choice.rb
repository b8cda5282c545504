# frozen_string_literal: true

require "socket"

module Mohs
  class Study
    # Decides which private services a study's servers get: those that the user names, and those
    # that the application's own configuration needs if nothing listens there.
    class ServiceChoice
      CONNECT_S = 2

      # Does anything listen there? host nil: where clients of the service look by default.
      REACH = lambda do |member, host, port|
        port = (port || member::PORT).to_i
        folders = host.to_s.start_with?("/") ? [host] : (member::SOCKETS unless host)
        if folders&.any?
          next folders.any? do |folder|
            UNIXSocket.new(member.socket(folder, port)).close || true
          rescue SystemCallError
            false
          end
        end
        Socket.tcp(host || "127.0.0.1", port, connect_timeout: CONNECT_S,
                                              resolv_timeout: CONNECT_S).close || true
      rescue SystemCallError, SocketError
        false
      end

      # env: the environment of the user's shell. reach and refusal (why a service can't be started
      # here) look at this machine.
      #: (?env: Hash[String, String], ?reach: ^(singleton(Services::Base), String?, untyped) -> bool, ?refusal: ^(singleton(Services::Base)) -> Reason?) -> void
      def initialize(env: ENV.to_h, reach: REACH, refusal: ->(member) { member.refusal })
        @env = env
        @reach = reach
        @refusal = refusal
      end

      # The study with its services. Raises EnvironmentError if the user names one that is not
      # installed, UsageError if the application has no client for it, or if it is to be prepared
      # and none has a database.
      #: (Study, App) -> Study
      def call(study, app)
        gems = App::Folder.clients(study.app)
        study.service_names.each { |name| verify(study, name, gems) }
        chosen = with_needs(study, app, gems)
        return chosen unless chosen.prepare && databases(chosen).empty?

        known = Services.databases(gems).map { |one| "--service #{one.label}" }
        raise UsageError, "--prepare fills the databases of private services, and there are none " \
                          "here: #{known.join(', ')}."
      end

      private

      def with_needs(study, app, gems)
        asked = app.needs.select { |need| usable?(Services.fetch(need.service), gems) }
                         .select { |need| wanted?(need, study) }
        return study if asked.empty? || study.variants.all?(&:url)

        added = asked.map { |need| { name: need.service, by: need.by } }
        Study.new(**study.each_pair.to_h, services: study.services.to_a + added)
      end

      def databases(study)
        study.service_names.select { |name| Services.fetch(name)::DATABASES }
      end

      # Not if the application has a client for other databases only.
      def usable?(member, gems) = !member::DATABASES || Services.databases(gems).include?(member)

      def verify(study, name, gems)
        member = Services.fetch(name)
        raise UsageError, strange(member, gems) unless usable?(member, gems)

        variable = member::VARIABLE
        raise UsageError, "#{variable} says where #{member::TITLE} is, and a private one is " \
                          "asked for. Leave one of them out." if study.env.key?(variable)

        refusal = @refusal.call(member)
        raise EnvironmentError, refusal.to_s if refusal
      end

      def strange(member, gems)
        others = Services.databases(gems).map { |one| "--service #{one.label}" }
        "--service #{member.label} is a #{member::TITLE}, and the lockfile has no client for it " \
          "(#{member::GEMS.join(', ')}). It has one for #{others.join(', ')}."
      end

      def wanted?(need, study)
        member = Services.fetch(need.service)
        named = study.services.to_a.any? { |one| one[:name] == need.service }
        !named && !need.given?(@env.merge(study.env)) && @refusal.call(member).nil? &&
          !@reach.call(member, need.host, need.port)
      end
    end
  end
end
