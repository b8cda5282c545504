# frozen_string_literal: true

module Mohs
  module Trial
    # Resolves the names of a study's variant into a Setup on this machine: the application's
    # folder, the Ruby, the bundle.
    class Setups
      #: (?env: Hash[String, String], ?rubies: Module) -> void
      def initialize(env: ENV.to_h, rubies: Rubies)
        @env = env
        @rubies = rubies
        @safe = Secrets::Safe.new(env:)
        @apps = {}
      end

      #: (Study, Study::Variant, ?random: Random) -> Trial::Setup
      def for(study, variant, random: Random.new)
        app = app(study)
        ruby = @rubies.find(variant.ruby, env: @env)
        bundle = bundle(app, ruby, variant)
        study = @safe.open(study)
        variant = study.variant(variant.name)
        Setup.new(study:, variant:, app:, ruby:, bundle:, random:, shell: @env)
      end

      #: (Study) -> App
      def app(study) = @apps[study.app] ||= App::Folder.load(study.app)

      private

      def bundle(app, ruby, variant)
        gems = Servers.fetch(variant.server)::GEMS
        return nil if gems.empty?

        App::Bundle.new(app:, ruby:, server_gems: gems, cache_dir: Folders.cache(@env),
                        env: @env)
      end
    end
  end
end
