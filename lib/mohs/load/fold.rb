# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Load
    # Figures of recorded requests without a Recording: encoded records go in a part after the
    # other, and none is kept but 5 bytes of each right answer. What is counted follows the rules of
    # Recording#ranked: warm-up doesn't count, and a request without a right answer ranks after
    # every right one.
    class Fold
      # kind: of the times, :service or :response. edges: times in ns since the driver's epoch,
      # ascending; a request belongs to the column between two of them in which it was due. rows:
      # times in ns, ascending, at which the rows of a column begin; what is shorter than the first
      # belongs to it, and the last has no end. Without edges there are no columns.
      #: (Symbol, ?edges: Array[Integer], ?rows: Array[Integer]) -> void
      def initialize(kind, edges: [], rows: [0])
        @rows = rows.size
        @fold = Core::Fold.new(kind, edges.pack("Q*"), rows.pack("Q*"))
      end

      # Adds encoded records (Store#each_observations, Recording#each_frame). Raises StoreError.
      #: (String) -> self
      def add(encoded)
        @fold.add(encoded)
        self
      end

      # Adds those in memory: of an open loop also the ones that were never sent, if :response times
      # are asked for.
      #: (Core::Records) -> self
      def add_records(records)
        @fold.add_records(records)
        self
      end

      # Requests recorded: good or not, warm-up or not.
      #: () -> Integer
      def size = @fold.totals[:records]

      # Right answers outside warm-up.
      #: () -> Integer
      def good = @fold.totals[:good]

      # Requests outside warm-up without one.
      #: () -> Integer
      def unanswered = @fold.totals[:failed]

      # Failed requests by class, warm-up included; without zeros.
      #: () -> Hash[String, Integer]
      def errors = Recording.named(@fold.errors.unpack("Q*"))

      # As Recording#ranked.
      #: (Array[Numeric]) -> Array[Recording::Ranked?]
      def ranked(shares)
        total = good + unanswered
        return shares.map { nil } if total.zero?

        ranks = shares.map { |share| [(share * total).ceil - 1, 0].max }
        found = ranks.each_slice(Core::Fold::MOST_RANKS).flat_map { |some| @fold.ranks(some) }
        found.map { |ns, more| Recording::Ranked.new(ns, more) }
      end

      # How many right answers each row has, by column.
      #: () -> Array[Array[Integer]]
      def cells = @fold.cells.unpack("Q*").each_slice(@rows).to_a

      # How many requests had no right answer, by column.
      #: () -> Array[Integer]
      def unanswered_cells = @fold.failed_at.unpack("Q*")
    end
  end
end
