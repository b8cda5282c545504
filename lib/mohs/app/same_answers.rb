# frozen_string_literal: true

module Mohs
  class App
    # Do two servers answer the same? A ratio between things that answer differently means nothing.
    # Bodies may differ a little where versions of a framework do (a header in a page, a token);
    # status, type and size may not. The size of one whose length varies anyway is not compared.
    module SameAnswers
      # Difference in length that still counts as the same page.
      LENGTH = 0.05

      # `kind` status, type or length: `answer` and `other` are those of the two; or refused or
      # answered, where only one of the two answers the `request` ("GET /").
      class Difference < Struct.new(:request, :kind, :answer, :other, keyword_init: true)
        include Value
      end

      module_function

      # What differs first, nil if nothing does. Both are the answers to the same requests in the
      # same order.
      #: (Array[App::Answer], Array[App::Answer]) -> App::SameAnswers::Difference?
      def difference(answers, others)
        missing(answers, others) ||
          answers.zip(others).filter_map { |answer, other| between(answer, other) }.first
      end

      # Of a log, requests that are refused are left out (App::ResponseLearner).
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
