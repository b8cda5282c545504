# frozen_string_literal: true

require "yaml"

module Mohs
  class Study
    # The annotated examples, one file for each section of study.yml: they are manual (`mohs docs`),
    # schema and web page at once. Those of one procedure are in its folder.
    module Sections
      FOLDER = ::File.join(__dir__, "sections")
      # Those of procedures, by name: sections, and other files.
      OWN, FILES = %w[sections files].map { |folder| Procedure.examples(folder).freeze }
      private_constant :OWN, :FILES

      # In the order in which people would write them.
      NAMES = [*%w[app services requests jobs streams matrix variants measurement],
               *OWN.keys].freeze
      # Other files that are explained in the same way.
      OTHERS = ["scenario", *FILES.keys].freeze
      ALL = [*NAMES, *OTHERS].freeze

      module_function

      # The annotated example, with its comments.
      #: (String) -> String
      def text(name)
        unless ALL.include?(name)
          raise UsageError, "study.yml has no section #{name.inspect}. " \
                            "#{Suggest.hint(name, ALL)} (mohs docs)"
        end

        path = OWN[name] || FILES[name] || ::File.join(FOLDER, "#{name}.yml")
        ::File.read(path, encoding: "UTF-8")
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
