# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs rubies`: lists the interpreters found here, and why some of them can't be
    # used.
    class Rubies < Base
      SUMMARY = "Lists the Rubies found here, and why some of them can't be used."
      USAGE = "mohs rubies [NAME|PATH]"
      ARGUMENTS = (0..1)
      NONE = "No Ruby found: none on PATH, nor in the folders of rbenv, mise, asdf, rvm, chruby.\n"
      STUDIES = "\nPublished studies name other Rubies, too: mohs repro lists those that are " \
                "missing.\n"
      KEYS = %i[name description path engine version flags state reason note source].freeze

      private

      def execute
        rubies = arguments.any? ? [context.rubies.find(arguments.first)] : context.rubies.all
        documents = rubies.map { |ruby| document(ruby) }
        answer("rubies", rubies: documents) do
          arguments.any? ? detail(documents.first) : list(documents)
        end
      end

      def document(ruby) = { **ruby.to_h.slice(*KEYS), reason: ruby.reason&.to_s }

      def list(rubies)
        return NONE if rubies.empty?

        broken = rubies.select { |ruby| ruby[:state].to_s == "broken" }
        rows = (rubies - broken).map { |ruby| [ruby[:name], ruby[:flags].join(" "), ruby[:path]] }
        table = Report::Terminal::Columns.new([["Ruby", "JIT flags", "path"], *rows]).to_s
        table + broken.map do |ruby|
          reason = ruby[:reason].gsub("\n", "\n  ")
          "\n#{ruby[:name]}: #{reason}\n  #{ruby[:path]}\n"
        end.join + STUDIES
      end

      def detail(ruby)
        rows = KEYS.filter_map do |key|
          value = Array(ruby[key]).join(" ").gsub("\n", ". ")
          [key.to_s, value] unless value.empty?
        end
        Report::Terminal::Columns.new(rows).to_s
      end
    end
  end
end
