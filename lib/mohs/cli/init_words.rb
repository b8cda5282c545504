# frozen_string_literal: true

module Mohs
  class CLI
    # The arguments of `mohs gate --init` that belong into the file that it writes.
    module InitWords
      # Options that say what is compared; each takes a value. Others say where to print, are about
      # this machine, or may have secrets, which must not get into a repository.
      KEPT = %w[--get --weight --gate --pushes --budget --on --name --connections].freeze

      # argv: as typed. service: the value of --init; true: none. Raises UsageError for an option
      # that can't be in the file.
      #: (Array[String], service: (String | true)) -> Array[String]
      def self.call(argv, service:)
        left, words = argv.dup, []
        while (word = left.shift)
          name, value = word.split("=", 2)
          case name
          when "--init" then left.shift if value.nil? && left.first == service
          when "--quiet", "--json" then next
          when *KEPT then words.push(word, *(left.shift if value.nil?))
          else word.start_with?("-") ? refuse(name) : words << word
          end
        end
        words
      end

      def self.refuse(name)
        raise UsageError, "#{name} does not go with --init. The file gets #{KEPT.join(', ')}; " \
                          "put anything else into study.yml (mohs docs gates)."
      end
      private_class_method :refuse
    end
  end
end
