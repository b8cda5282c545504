# frozen_string_literal: true

require "socket"

module Mohs
  class Trial
    # Resolves the names in a study's variant into a Setup on this machine: the application's
    # folder, the Ruby, the bundle.
    class Setups
      # The host's name in Slurm: several of its nodes may be on one machine.
      NODE = "SLURMD_NODENAME"
      # Name of the folder that a packed application is unpacked to, whatever its own folder is
      # called.
      UNPACKED = "app"

      # packs: returns the file of a packed application by its checksum (Store#pack).
      #: (?env: Hash[String, String], ?rubies: Module, ?packs: (Proc | Method)) -> void
      def initialize(env: ENV.to_h, rubies: Rubies,
                     packs: ->(_sha256) { raise ArgumentError, "no packed application is known" })
        @env = env
        @packs = packs
        @rubies = rubies
        @vault = Secrets::Vault.new(env:)
        @apps = {}
        @bundles = {}
        @extensions = {}
      end

      #: (Study, Study::Variant, ?random: Random) -> Trial::Setup
      def for(study, variant, random: Random.new)
        return ExternalSetup.new(study: @vault.open(study), variant:) if variant.url

        app = app(study, variant)
        ruby = @rubies.find(variant.ruby, env: @env)
        packed = !study.pack.nil? && variant.revision.nil?
        bundle = bundle(app, ruby, variant, profile: study.profile, packed:)
        study = @vault.open(study)
        variant = study.variant(variant.name)
        extension = @extensions[ruby.path] ||= Probes::Extension.new(ruby:, env: @env)
        Setup.new(study:, variant:, app:, ruby:, bundle:, random:, shell: @env, extension:)
      end

      # The application of the variant: from its folder or at a commit, with its Gemfile. It is read
      # once, so that all trials of a run use the same.
      #: (Study, Study::Variant) -> App
      def app(study, variant)
        @apps[[study.app, variant.commit, variant.gemfile]] ||= load(study, variant)
      end

      private

      def load(study, variant)
        return at_hand(study, variant) unless variant.revision

        revision = App::Revision.new(dir: study.app, **variant.revision,
                                     cache_dir: Folders.cache(@env))
        revision.app(gemfile: variant.gemfile)
      end

      # From the user's folder, or unpacked from a pack of that folder.
      def at_hand(study, variant)
        return App::Folder.load(study.app, gemfile: variant.gemfile) unless study.pack

        app = App::Folder.load(unpacked(study), gemfile: variant.gemfile)
        App.new(**app.to_h, name: File.basename(study.app), origin: study.app)
      end

      # Each host has its own copy: hosts may share a home directory. The path stays the same, since
      # it is part of the bundle's key.
      def unpacked(study)
        @unpacked ||= begin
          sha256 = study.pack.fetch(:sha256)
          host = @env[NODE] || Socket.gethostname
          checkouts = App::Checkouts.new(Folders.cache(@env))
          place = checkouts.fetch("pack-#{sha256[0, 20]}-#{host}") do |made|
            App::Pack.unpack(@packs.call(sha256), sha256:, into: File.join(made, UNPACKED))
          end
          File.join(place, UNPACKED)
        end
      end

      # Bundles are kept: what is resolved before the run need not be resolved again before its
      # cohort.
      def bundle(app, ruby, variant, profile:, packed:)
        gems = variant.gems(ruby)
        gems = gems.merge(Rubies::Engines.named(ruby.engine)::PROFILER_GEMS) if profile
        return nil if gems.empty?

        @bundles[[app.dir, app.gemfile, ruby.name, gems]] ||=
          App::Bundle.new(app:, ruby:, server_gems: gems, cache_dir: Folders.cache(@env),
                          env: @env, packed:)
      end
    end
  end
end
