# frozen_string_literal: true

module Mohs
  class App
    # Where an application limits the rate of its clients' requests (rack-attack's `throttle`), as
    # far as its files tell.
    module RateLimit
      TOO_MANY = 429

      # Files of the application itself, the usual place first.
      FILES = ["config/initializers/**/*.rb", "config/**/*.rb", "app/**/*.rb",
               "lib/**/*.rb"].freeze
      THROTTLE = /^\s{0,99}(?:Rack::Attack\.)?throttle[ (]/
      VARIABLE = /\bENV(?:\.fetch\(|\[)\s{0,9}["']([A-Z][A-Z0-9_]{0,99})["']/
      private_constant :FILES, :THROTTLE, :VARIABLE

      module_function

      # The reason; if it is a response that says so, its values have the `limit`:
      # { file:, line:, variables: }, the first place that is found, and the variables of the
      # environment that this file reads.
      #: (Reason?, dir: String) -> Reason?
      def complete(reason, dir:)
        return reason unless reason&.code == "error_status" && reason.values[:status] == TOO_MANY

        limit = find(dir) or return reason
        Reason.new(**reason.to_h, values: { **reason.values, limit: })
      end

      def find(dir)
        FILES.each do |pattern|
          Dir[pattern, base: dir].sort.each do |file|
            lines = BoundedFile.text(File.join(dir, file)).lines
            at = lines.index { |line| line.match?(THROTTLE) } or next
            variables = lines.grep_v(/\A\s*#/).flat_map { |line| line.scan(VARIABLE).flatten }.uniq
            return { file:, line: at + 1, variables: }
          end
        end
        nil
      end

      private_class_method :find
    end
  end
end
