# frozen_string_literal: true

module Mohs
  module Gate
    # The answer of `mohs gate`.
    class Headline < Report::Headline
      #: () -> String
      def to_s
        return answer unless @document[:state] == "interrupted"

        say("gating_stopped", rest: answer)
      end

      private

      def answer
        case @document[:outcome]
        when "fails" then fails
        when "holds" then holds
        else inconclusive
        end
      end

      def base = Report::Numbers.called(Document.revision(@document[:base]))

      def gates(outcome) = @document[:gates].select { |gate| gate[:outcome] == outcome }

      def holds
        count = @document[:gates].size
        count == 1 ? say("gating_one_holds", base:) : say("gating_all_hold", base:, count:)
      end

      def deciding = Document.deciding(@document)

      def fails
        failed = gates("fails")
        more = say("gating_more", count: failed.size, of: @document[:gates].size) unless
          failed.one?
        say("gating_fails", first: failed_gate(deciding), others_clause: more.to_s)
      end

      def failed_gate(gate)
        page = gate[:name]
        return say("gating_fails_broken", page:, reason: gate[:reason]) unless gate[:effect]

        change = Report::Change.new(gate)
        more, less, times = Compare::Headline.phrases(gate[:metric])
        phrase = change.more? ? more : less
        phrase = times if change.times?
        say("gating_fails_by", page:, base:, bracket: change.bracket,
                               limit: Document.bound(gate),
                               phrase: format(phrase, change.amount))
      end

      def inconclusive
        unserved = @document[:pages].find { |one| one[:unserved] }
        return no_revision(unserved) if unserved

        open, gate = gates("inconclusive"), deciding
        one = open.one?
        time = say("gating_time", needed: gate[:needed_s]) if gate[:needed_s]
        say("gating_inconclusive", undecided: open.size, of: @document[:gates].size,
                                   verb: one ? "holds" : "hold", other: one ? "fails" : "fail",
                                   first: unclear(gate), time_clause: time.to_s)
      end

      def no_revision(page)
        say("gating_unserved", page: page[:name], reason: page[:unserved_reason])
      end

      def unclear(gate)
        page = gate[:name]
        return say("gating_unmeasured", page:, reason: gate[:reason]) unless gate[:interval]

        change = Report::Change.new(gate)
        say("gating_unclear", page:, metric: gate[:title], limit: Document.bound(gate),
                              change: "#{change.signed} #{change.interval}")
      end
    end
  end
end
