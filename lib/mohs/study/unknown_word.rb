# frozen_string_literal: true

module Mohs
  class Study
    # An unknown word of a variant: what was probably meant, a memory allocator or a service in
    # another spelling, and the error message.
    class UnknownWord
      # Other names of services.
      SERVICES = { "pg" => "postgresql", "psql" => "postgresql", "postgres" => "postgresql",
                   "mariadb" => "mysql", "mysql2" => "mysql", "memcache" => "memcached" }.freeze

      # How a variant names an allocator.
      #: (String) -> String
      def self.setting(allocator) = "LD_PRELOAD=#{allocator}"

      #: (String, servers: Module) -> void
      def initialize(word, servers:)
        @word = word
        @servers = servers
      end

      # The right notation if the word is the name of an allocator or another name of a service;
      # else nil.
      #: () -> String?
      def elsewhere
        return self.class.setting(@word) if Process::Allocators.names.include?(@word)

        SERVICES[@word]
      end

      # beside: the Ruby of the same variant.
      #: (?beside: String?) -> UsageError
      def error(beside: nil)
        right = elsewhere || near
        text = "#{@word.inspect} is not part of a variant"
        return UsageError.new("#{text}. Did you mean #{right}? (mohs help variants)") if right

        UsageError.new("#{text} beside #{beside}. Known: #{known} (mohs help variants)")
      end

      private

      def near
        allocator = Suggest.nearest(@word, Process::Allocators.names)
        return self.class.setting(allocator) if allocator

        Suggest.nearest(@word, Services.offered.map(&:label))
      end

      def known
        "a Ruby, its flags, a server (#{listed(@servers)}), a front (#{listed(Fronts)}), " \
          "a service (#{listed(Services)}), #{words.join(', ')}, " \
          "and VARIABLE=VALUE."
      end

      def words
        [*Notation::OPTIONS, Notation::CLOSE, Notation::OWN_JIT, "without #{Notation::MAIN_JIT}"]
      end

      def listed(family) = family.offered.map { |one| one.label[/[^:]+/] }.join(", ")
    end
  end
end
