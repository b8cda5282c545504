# frozen_string_literal: true

module Mohs
  class App
    # Do two servers answer the same? A ratio between things that answer differently means nothing.
    # Bodies may differ a little where versions of a framework do (a header in a page, a token);
    # status, type and size may not.
    module SameAnswers
      # Difference in length that still counts as the same page.
      LENGTH = 0.05

      module_function

      # What differs first, as a sentence without its end ("GET / answers 302, different"), nil
      # where nothing does. Both are the answers to the same requests in the same order.
      #: (Array[App::Answer], Array[App::Answer]) -> String?
      def difference(answers, others)
        missing(answers, others) ||
          answers.zip(others).filter_map { |answer, other| text(answer, other) }.first
      end

      # Of a log, requests that are refused are left out (App::ResponseLearner).
      def missing(answers, others)
        all, other = [answers, others].map { |list| list.map { |answer| answer.request.to_s } }
        return if all == other

        lost = (other - all).first
        lost ? "#{lost} is refused: different" : "#{(all - other).first} is answered: different"
      end

      def text(answer, other)
        request = answer.request
        one, two = %i[status type].map { |key| [answer[key], other[key]] }.find { |a, b| a != b }
        return "#{request} answers #{one} instead of #{two}: different" if one || two

        longest = [answer.length, other.length].max
        return if (answer.length - other.length).abs <= longest * LENGTH

        "#{request} answers #{answer.length} bytes instead of #{other.length}: different"
      end

      private_class_method :missing, :text
    end
  end
end
