# frozen_string_literal: true

module Mohs
  module Repro
    # What a source says of a claim, in a line: its figure, the two that it is the ratio of, and
    # what is tested of it: "+25 % (491 against 394 requests/s); accepted: +13 % to +37 %
    # (within a factor of 1.1)". claim: as in docs/json.md.
    class PublishedText
      # Of a claim that is all that the source has.
      NO_FIGURES = "no figures that can be compared"
      # How a share is printed: the source's own to its last digit, a computed end of a range not.
      EXACT, ROUNDED = %i[exact_percent percent].freeze

      # A published ratio as a change, with two digits at least: +0.47 %, +33 %, 2.7 times.
      #: (Float) -> String
      def self.change(ratio)
        points = (ratio - 1) * 100
        return "#{Report::Numbers.short(ratio)} times" if ratio >= Report::Change::TIMES
        return Report::Numbers.signed(ratio) if points.abs >= 9.95

        points.round(9).zero? ? "0 %" : "#{format('%+.2g', points)} %"
      end

      #: (Hash[Symbol, untyped]) -> void
      def initialize(claim)
        @claim = claim
        @kind = claim[:kind]
        @published = claim[:published]
        @low, @high = claim[:range].to_h.values_at(:low, :high)
        @sides = Sides.new(claim)
      end

      #: () -> String
      def to_s
        figure = [published, *figures].join(" ")
        [figure, *tested].join("; ")
      end

      private

      # The figure that the source gives, else the range that it claims.
      def published
        return share if @kind == "share"
        return self.class.change(@published) if @published

        case @kind
        when "equal", "order" then NO_FIGURES
        when "ratio" then range
        when "bound" then @claim[:ours] ? NO_FIGURES : range
        when "warm" then Report::Numbers.counted(@high, "batch", "batches")
        when "excluded" then "excluded"
        when "compiled"
          "#{'> ' unless @high}#{Report::Numbers.counted(@high || (@low - 1), 'version')}"
        when "survives" then "no crash"
        when "crashes" then "crash"
        else Report::Numbers::NONE
        end
      end

      # The source's two figures that the ratio is of: "13 577 against 10 185 requests/s".
      def figures
        pair = @claim[:figures].to_a.map do |one|
          unit = one[:unit].split
          about = unit.delete("about")
          { value: [*about, exact(one[:value])].join(" "), unit: unit.join(" ") }
        end
        Sides.figures(pair, of: figures_of)
      end

      # Of what they are, unless it is what is tested: a mean is no median.
      def figures_of
        named = @claim[:figures].to_a.map { |one| one[:metric].to_s }.uniq
        return if named == [@claim[:metric]] || named.any?(&:empty?)

        named.one? ? ", #{named.first}" : ": #{named.join(' against ')}"
      end

      # As the source has it, with its thousands separated.
      def exact(value)
        whole, *decimals = Report::Numbers.trimmed(value.to_s).split(".")
        [Report::Numbers.thousands(whole), *decimals].join(".")
      end

      # What counts as the claimed, where that is not all that is printed.
      def tested
        case @kind
        when "ratio", "share" then accepted
        when "equal" then "tested: same #{@sides.quantity} within #{margin} (our margin)#{beside}"
        when "order" then "tested: #{@low ? 'higher' : 'lower'} #{@sides.quantity}#{beside}"
        when "bound"
          "tested: #{range}, #{@sides.quantity}#{beside}" if @published || @claim[:ours]
        end
      end

      # About the published ratio, or share.
      def accepted
        return unless @published && @low && @high

        ends = @kind == "share" ? shares(ROUNDED) : range
        "accepted: #{ends} (within a factor of #{format('%g', (@high / @published).round(6))})"
      end

      # The margin of a range about 1.
      def margin = Report::Numbers.exact_percent((@high - 1).round(6))

      # What is compared, where no line of ours has it all: that names one of several.
      def beside = (", #{@sides.claimed}" unless @claim[:value] && @claim[:to].one?)

      def range = ends("over", "under") { |one| self.class.change(one) }

      def share = @published ? Report::Numbers.exact_percent(@published) : shares(EXACT)

      def shares(format) = ends(">", "<") { |one| Report::Numbers.public_send(format, one) }

      # Of the range, as the block prints each: "1 to 2", "over 1".
      def ends(above, below)
        low, high = [@low, @high].map { |one| one && yield(one) }
        return "#{low} to #{high}" if low && high

        low ? "#{above} #{low}" : "#{below} #{high}"
      end
    end
  end
end
