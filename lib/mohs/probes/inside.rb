# frozen_string_literal: true

module Mohs
  module Probes
    # The Ruby that each process of a server loads first: inside/attest.rb, and before it what its
    # engine and server say of how they are attested.
    module Inside
      FILE = "attest.rb"
      SOURCE = File.expand_path("../inside/#{FILE}", __dir__)

      # What any Ruby reads, whichever it is.
      VARIABLES = /MALLOC_|LD_PRELOAD/

      # engine, server: classes of Rubies::Engines and Servers.
      #: (engine: singleton(Rubies::Engines::Base), server: singleton(Servers::Base)) -> String
      def self.script(engine:, server:)
        <<~RUBY
          # frozen_string_literal: true

          module MohsInside
            SERVING = #{server::SERVING.inspect}
            SERVERS = #{Servers.all.flat_map { |one| one::GEMS.keys }.uniq.inspect}
            VARIABLES = #{variables.inspect}
          #{engine::INSIDE}end
          #{File.read(SOURCE)}
        RUBY
      end

      # Those of all engines: what is set for another one can matter to what the application starts.
      def self.variables
        names = Rubies::Engines.all.map { |engine| engine::VARIABLES }
        /\A(?:#{[VARIABLES, *names].map(&:source).uniq.join('|')})/
      end
      private_class_method :variables
    end
  end
end
