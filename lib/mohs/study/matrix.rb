# frozen_string_literal: true

module Mohs
  class Study
    # Every combination of the levels of four factors, as notations. `rubies: "all"` is every Ruby
    # found here, the broken ones too (they get a row that says why); `flags: "all"` is each Ruby
    # without flags, then with each that it accepts.
    class Matrix < Struct.new(:rubies, :flags, :servers, :env, keyword_init: true)
      ALL = "all"

      # What `mohs` measures where nothing is declared.
      #: () -> Study::Matrix
      def self.everything = new(rubies: ALL, flags: ALL)

      #: (?rubies: (String | Array[String])?, ?flags: (String | Array[String])?, ?servers: Array[String?]?, ?env: Array[Hash[String, String]]?) -> void
      def initialize(**values)
        super(rubies: ALL, flags: [""], servers: [nil], env: [{}], **values.compact)
        freeze
      end

      # In the order of the factors, the last turning fastest.
      #: (Module) -> Array[Study::Notation]
      def notations(found)
        chosen(found).flat_map do |ruby|
          levels_of_flags(ruby).product(servers, env).map do |flags, server, env|
            served = server ? Notation.of_server(server) : {}
            Notation.new(ruby: ruby.name, flags: Notation.words(flags), env:, **served)
          end
        end
      end

      private

      def chosen(found)
        rubies == ALL ? found.all : Array(rubies).map { |spec| found.find(spec.to_s) }
      end

      def levels_of_flags(ruby)
        return Array(flags) unless flags == ALL

        ["", *(ruby.flags - Rubies::Engines.named(ruby.engine)::DEVELOPMENT)]
      end
    end
  end
end
