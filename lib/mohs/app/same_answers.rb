# frozen_string_literal: true

module Mohs
  class App
    # Do two servers give the same responses? A ratio between different responses means nothing.
    # Bodies may differ slightly, as they do between versions of a framework (a header in a page, a
    # token); status, type and size may not. Sizes are not compared if the length varies anyway.
    module SameAnswers
      # Relative difference in length up to which two bodies count as the same page.
      LENGTH = 0.05

      # `kind` is status, type or length, with the two values in `answer` and `other`; or refused or
      # answered, if only one of the two servers responds to the `request` ("GET /").
      class Difference < Struct.new(:request, :kind, :answer, :other, keyword_init: true)
        include Value
      end

      module_function

      # The first difference, nil if there is none. Both lists are responses to the same requests in
      # the same order.
      #: (Array[App::Answer], Array[App::Answer]) -> App::SameAnswers::Difference?
      def difference(answers, others)
        missing(answers, others) ||
          answers.zip(others).filter_map { |answer, other| between(answer, other) }.first
      end

      # Refused requests of a log are left out (App::ResponseLearner).
      def missing(answers, others)
        all, other = [answers, others].map { |list| list.map { |answer| answer.request.to_s } }
        return if all == other

        lost = (other - all).first
        Difference.new(request: lost || (all - other).first, kind: lost ? "refused" : "answered")
      end

      def between(answer, other)
        kind = %i[status type].find { |key| answer[key] != other[key] }
        least, most = [answer.length, other.length].minmax
        kind ||= :length if most - least > most * LENGTH && [answer, other].none?(&:varies?)
        kind && Difference.new(request: answer.request.to_s, kind: kind.to_s, answer: answer[kind],
                               other: other[kind])
      end

      private_class_method :missing, :between
    end
  end
end
