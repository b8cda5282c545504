# frozen_string_literal: true

module Mohs
  module Gate
    # What a gate is asked for: by the study file, and by the command line, which takes precedence.
    # Pure.
    class Declaration
      # Keys of a study file that apply to both revisions; other keys define what a run measures.
      SHARED = %i[app env services prepare login own_config own_jit connections seed budget_s
                  shield cores hold load_from].freeze
      private_constant :SHARED

      # given: what the command line declares. dir: of the application, if neither names one. file:
      # what the study file declares; {} without one.
      #: (Hash[Symbol, untyped], dir: String, ?file: Hash[Symbol, untyped]) -> void
      def initialize(given, dir:, file: {})
        @given = given
        @dir = dir
        @file = file
      end

      # What both revisions are measured with.
      #: () -> Hash[Symbol, untyped]
      def shared
        both = { app: @dir, **@file.slice(*SHARED) }
        both.merge(@given.except(:requests)) { |key, old, new| key == :env ? old.merge(new) : new }
      end

      # The pages, each with its limits: those of the command line, else its own, else the usual
      # ones. Calls the block for the requests of the application if none is declared. Raises
      # UsageError if two pages have the same name.
      #: (Array[Compare::Condition]) { () -> Array[App::Request] } -> Array[Gate::Page]
      def pages(limits, &usual)
        pages = named(usual).map do |page|
          own = [limits, page.limits, PageGates::LIMITS].find(&:any?)
          Page.new(**page.to_h, limits: own.uniq)
        end
        twice = pages.map(&:name).tally.find { |_, count| count > 1 } or return pages
        raise UsageError, "two pages are called #{twice.first.inspect}: give them names " \
                          "(mohs docs gates)."
      end

      private

      def named(usual)
        return @file[:gates] if @given[:requests].nil? && @file[:gates]

        (@given[:requests] || @file[:requests] || usual.call).map { |request| Page.new(request:) }
      end
    end
  end
end
