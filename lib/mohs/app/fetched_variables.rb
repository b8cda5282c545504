# frozen_string_literal: true

module Mohs
  class App
    # The variables of the environment that an application's configuration fetches without a
    # default: the boot stops at the first that is not set, and would stop at the next one.
    module FetchedVariables
      FETCH = /ENV\.fetch\(\s{0,9}["']([A-Z][A-Z0-9_]{0,99})["']\s{0,9}\)(?!\s{0,9}(?:\{|do\b))/

      FILES = ["config/application.rb", "config/environments/production.rb",
               "config/initializers/**/*.rb"].freeze

      module_function

      # The reason; if it is such a variable, its remedy names the others, too. env: what is set.
      #: (Reason?, dir: String, env: Hash[String, String]) -> Reason?
      def complete(reason, dir:, env:)
        return reason unless reason&.code == "variable_missing"

        others = names(dir) - [reason.values[:variable], *env.keys]
        return reason if others.empty?

        options = others.map { |name| "--env #{name}=..." }
        Reason.new(**reason.to_h, remedy: "#{reason.remedy} (its configuration also fetches, " \
                                          "without a default: #{options.join(' ')})")
      end

      # Each once, in the order of the files.
      #: (String) -> Array[String]
      def names(dir)
        Dir[*FILES, base: dir].flat_map { |path| fetched(File.join(dir, path)) }.uniq
      end

      def fetched(path)
        lines = BoundedFile.text(path).lines.grep_v(/\A\s*#/)
        lines.flat_map { |line| line.scan(FETCH).flatten }
      end

      private_class_method :fetched
    end
  end
end
