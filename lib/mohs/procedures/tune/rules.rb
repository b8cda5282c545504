# frozen_string_literal: true

module Mohs
  module Tune
    # What `mohs tune` searches for among the variants of a study, which are settings; the baseline
    # is the present setting. It searches for the highest rate at which `limit` holds (a
    # Load::Limit). `margin`: the difference that matters (0.03 = 3 %); `memory_bytes`: that a
    # setting may take (nil: any); `price`: { core_hour:, gb_hour: } in a currency of the user's
    # choice (nil: unknown); `left_out`: settings that can't be judged on this machine, [{ name:,
    # code:, values: }]; `cgroup`: what the control groups of mohs allow (nil: no limit), with
    # `cores` and `memory_bytes`, nil for any, and `processes`, the most processes that settings
    # race with because of the cores (nil: the cores decide nothing); `wanted_per_s`: requests a
    # second to serve, so that the cheapest setting is searched for (nil: the fastest); `check`:
    # whether the exit status says if the present setting is among the best; `write`: the absolute
    # path of the file for the lines of the recommended setting (nil: none); `budget_s`: seconds of
    # the whole tuning (nil: BUDGET_S).
    class Rules < Struct.new(:limit, :margin, :memory_bytes, :price, :left_out, :cgroup,
                             :wanted_per_s, :check, :write, :budget_s, keyword_init: true)
      include Mohs::Procedure::Rules

      NAME = "tune"

      # Its key in a stored study.
      STORED = :tuning

      # How near to the best a recommended setting has to be.
      MARGIN = 0.03

      # Seconds of a whole tuning, unless the user gives a budget.
      BUDGET_S = 600

      # Share of the budget that the race may take.
      RACE_SHARE = 0.5

      # Connections of a server that accepts any number of requests, on fibers.
      CONNECTIONS = 32

      # Maximum connections of a server with threads.
      MOST_CONNECTIONS = 256

      # Connections that keep each process of a server busy beyond one for each of its threads. A
      # connection stays with the process that accepted it, and now and then one process accepts
      # most of them. Of 20 loads of two processes with two threads each, three served 18 to 29 %
      # less than the others with 4 connections; with 8, and with 12, one served half as much; with
      # 20, none (benchmark/tune/connections.rb), so at most 14 % of such loads do (95 %).
      SPARE_CONNECTIONS = 8

      PRICE = /\A(?<core_hour>\d+(?:\.\d+)?),(?<gb_hour>\d+(?:\.\d+)?)\z/

      #: () -> String
      def self.unrated(_declaration) = "a tuning looks for the rate itself"

      # The rules themselves are declared, without a budget.
      #: (Hash[Symbol, untyped], variants: Array[Study::Variant], baseline: String) -> Tune::Rules
      def self.declared(declaration, **) = declaration[STORED].within(declaration[:budget_s])

      # How many connections keep all threads of a server busy. A single process accepts all.
      #: (processes: Integer, threads: Integer) -> Integer
      def self.connections(processes:, threads:)
        spare = processes > 1 ? SPARE_CONNECTIONS : 0
        (processes * (threads + spare)).clamp(1, MOST_CONNECTIONS)
      end

      # Parses a price as typed: "0.04,0.005". Raises UsageError.
      #: (String) -> { core_hour: Float, gb_hour: Float }
      def self.price(text)
        match = PRICE.match(text) or
          raise UsageError, "price #{text.inspect}: write what an hour of a core costs, and of a " \
                            "gigabyte of memory: 0.04,0.005"
        { core_hour: match[:core_hour].to_f, gb_hour: match[:gb_hour].to_f }
      end

      # Parses a wanted rate as typed: "200", "0.5". Raises UsageError.
      #: (String) -> Float
      def self.rate(text)
        rate = Float(text, exception: false)
        return rate if rate&.finite? && rate.positive?

        raise UsageError, "--rate #{text}: use the requests a second to serve, above 0: 200"
      end

      # study: as stored.
      #: (Hash[Symbol, untyped]) -> Tune::Rules
      def self.stored(study)
        values = study.fetch(STORED)
        new(**values, **study.slice(*shared), limit: Load::Limit.new(**values.fetch(:limit)))
      end

      #: (limit: Load::Limit, ?margin: Float, ?memory_bytes: Integer?, ?price: Hash[Symbol, Float]?, ?left_out: Array[Hash[Symbol, untyped]], ?cgroup: Hash[Symbol, untyped]?, ?wanted_per_s: Numeric?, ?check: bool, ?write: String?, ?budget_s: Numeric?) -> void
      def initialize(**values)
        super(margin: MARGIN, left_out: [], check: false, **values)
        freeze
      end

      #: (Study) -> Tune::Procedure
      def procedure(study) = Procedure.new(study)

      # The same with texts where people read it (--dry-run), as what to search for: without a path
      # of this machine.
      #: () -> Hash[Symbol, untyped]
      def to_document
        study = to_study
        { **study, STORED => { **study.fetch(STORED).except(:write), limit: limit.to_s } }
      end

      private

      def below = { **super, limit: limit.to_h }
    end
  end
end
