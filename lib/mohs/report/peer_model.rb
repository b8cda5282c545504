# frozen_string_literal: true

module Mohs
  module Report
    # The same document of a load that another tool made: what it does not tell is null, and a check
    # says what to know about its figures. Pure.
    class PeerModel < LoadModel
      # driver: the tool's class.
      #: (Load::StepResult, Load::Summary, driver: singleton(Drivers::Peer::Base), **untyped) -> void
      def initialize(step, summary, driver:, **rest)
        super(step, summary, **rest)
        @driver = driver
      end

      #: () -> Hash[Symbol, untyped]
      def document = super.merge(driver: @driver.tool, threads:)

      private

      # Null where they are not ours to choose.
      def threads = (@asked[:threads] if @driver.capabilities.include?(:threads))

      def rate = @step.good ? super : nil

      # Statuses, and no bodies, were held against what is right.
      def shown(answer) = super.merge(kind: "unchecked")

      # A few quantiles make none.
      def histogram = []

      def checks
        facts = { slices: [{ **@step.to_h, warm_up: false }], threads: }
        [*Analysis::Checks.of_load(facts, ["driver_share"]).map { |found| Phrase.check(found) },
         caveat]
      end

      def caveat
        { name: "peer", ok: false, level: "warn", code: "peer.caveat",
          values: { driver: @driver.tool }, detail: @driver.caveat }
      end
    end
  end
end
