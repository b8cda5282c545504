# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Load
    # Figures of recorded requests without a Recording: encoded records are added part by part, and
    # nothing is kept but 5 bytes of each correct response. Counting follows the rules of
    # Recording#ranked: warm-up doesn't count, and a request without a correct response ranks after
    # every one with a correct response.
    class Fold
      # kind: of times, :service or :response. edges: times in ns since the driver's epoch,
      # ascending; a request belongs to the column between the two edges between which it was due.
      # rows: times in ns, ascending, at which the rows of a column begin; a shorter time belongs to
      # the first row, and the last row has no end. Without edges there are no columns.
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

      # Adds records in memory; in an open loop this includes requests that were never sent, if the
      # kind is :response.
      #: (Core::Records) -> self
      def add_records(records)
        @fold.add_records(records)
        self
      end

      # Requests recorded: good or not, warm-up or not.
      #: () -> Integer
      def size = @fold.totals[:records]

      # Correct responses outside warm-up.
      #: () -> Integer
      def good = @fold.totals[:good]

      # Requests outside warm-up without a correct response.
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

      # Number of correct responses in each row, by column.
      #: () -> Array[Array[Integer]]
      def cells = @fold.cells.unpack("Q*").each_slice(@rows).to_a

      # Number of requests without a correct response, by column.
      #: () -> Array[Integer]
      def unanswered_cells = @fold.failed_at.unpack("Q*")
    end
  end
end
