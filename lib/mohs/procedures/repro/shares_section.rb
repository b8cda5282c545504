# frozen_string_literal: true

module Mohs
  module Repro
    # The categories in which sampled servers spent their CPU time, which claims are about.
    class SharesSection < Report::Sections::Base
      KEY = "shares"
      TITLE = "Where the CPU time went"

      private

      def any? = levels.any?

      def parts
        names = levels.flat_map { |one| one[:categories].map { |each| each[:name] } }.uniq
        rows = names.map { |name| [name, *levels.map { |level| share(level, name) }] }
        [listed("Share of the CPU time, by samples of stacks; 95 % intervals over boots",
                ["category", *levels.map { |one| one[:variant] }], rows)]
      end

      def levels = @document[:shares].to_a

      def share(level, name)
        found = level[:categories].find { |one| one[:name] == name } or
          return Report::Numbers::NONE
        interval = Report::Numbers.shares(found[:interval]) if found[:interval]
        cell([Report::Numbers.share(found[:share]), *interval].join(" "), value: found[:share])
      end
    end
  end
end
