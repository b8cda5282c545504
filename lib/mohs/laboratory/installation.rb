# frozen_string_literal: true

module Mohs
  class Laboratory
    # Installs the bundles that a study's variants need, one for each Ruby and server among them,
    # and tells what is new.
    class Installation
      #: (setups: Trial::Setups, ?on_event: Proc) -> void
      def initialize(setups:, on_event: ->(*) {})
        @setups = setups
        @on_event = on_event
      end

      # The study, with the variants refused whose bundle could not be installed.
      #: (Study) -> Study
      def call(study)
        results = {}
        variants = study.variants.map do |variant|
          next variant if variant.refusal

          key = [variant.ruby, variant.server]
          result = results.fetch(key) { results[key] = install(study, variant) }
          result.nil? || result.ok? ? variant : refused(variant, result)
        end
        variants == study.variants ? study : Study.new(**study.each_pair.to_h, variants:)
      end

      private

      # nil where everything was there.
      def install(study, variant)
        bundle = @setups.for(study, variant).bundle
        return if bundle.nil? || bundle.ready?

        result = bundle.install { |line| @on_event.call(:install, { ruby: variant.ruby, line: }) }
        told = result.to_h.slice(:state, :seconds, :reason, :notes)
        @on_event.call(:installed, { ruby: variant.ruby, **told })
        result
      end

      def refused(variant, result)
        refusal = { refusal: result.reason, refusal_log: result.log_tail }
        Study::Variant.new(**variant.each_pair.to_h, **refusal)
      end
    end
  end
end
