# frozen_string_literal: true

require "yaml"

module Mohs
  class Study
    # The annotated examples, one file for each section of study.yml: they are manual (`mohs docs`),
    # schema and web page at once. Those of one procedure are in its folder.
    module Sections
      FOLDER = ::File.join(__dir__, "sections")
      # In the order in which people would write them.
      NAMES = [*%w[app services requests jobs matrix variants measurement],
               *Procedure.examples("sections").keys].freeze
      # Other files that are explained in the same way.
      OTHERS = ["scenario", *Procedure.examples("files").keys].freeze
      ALL = [*NAMES, *OTHERS].freeze

      module_function

      # The annotated example, with its comments.
      #: (String) -> String
      def text(name)
        unless ALL.include?(name)
          raise UsageError, "study.yml has no section #{name.inspect}. " \
                            "#{Suggest.hint(name, ALL)} (mohs docs)"
        end

        own = Procedure.examples("{sections,files}")[name]
        ::File.read(own || ::File.join(FOLDER, "#{name}.yml"), encoding: "UTF-8")
      end

      # Its first comment line.
      #: (String) -> String
      def title(name) = text(name).lines.first.delete_prefix("#").strip

      # All sections as one parsed study.
      #: () -> Hash[String, untyped]
      def example = NAMES.map { |name| YAML.safe_load(text(name)) }.reduce(:merge)
    end
  end
end
