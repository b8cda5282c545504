# frozen_string_literal: true

module Mohs
  class CLI
    # The words of `mohs gate --init` that belong into the file that it writes.
    module InitWords
      # Options that say what is compared, and how. Others say where to print, are about this
      # machine and its files, or may have secrets, which must not get into a repository. So these
      # are listed, and not taken from what options are declared to be about: among those about the
      # subject most are of these kinds (--app, --login, --header, --load-from), and one that is new
      # must be let in by whoever knows that it has no secret.
      KEPT = %w[--get --weight --gate --pushes --budget --on --name --connections --warm-up --hold
                --own-jit --own-config].freeze

      # Options of this call alone.
      LEFT_OUT = %w[--init --quiet --json].freeze

      # Raises UsageError for an option that can't be in the file.
      #: (Array[String], Array[CLI::Options::Given]) -> Array[String]
      def self.call(arguments, given)
        options = given.reject { |one| LEFT_OUT.include?(one.name) }
        options.each { |one| refuse(one.name) unless KEPT.include?(one.name) }
        [*arguments, *options.flat_map { |one| one.masked.words }]
      end

      def self.refuse(name)
        raise UsageError, "#{name} does not go with --init. The file gets #{KEPT.join(', ')}; " \
                          "put anything else into study.yml (mohs docs gates)."
      end
      private_class_method :refuse
    end
  end
end
