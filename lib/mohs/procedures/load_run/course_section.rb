# frozen_string_literal: true

module Mohs
  class LoadRun
    # The speed of a load's batches, and how their figures developed.
    class CourseSection < Report::Sections::Base
      include Report::Sections::Course

      KEY = "warm-up"
      TITLE = "Batch by batch"
      HOW = "Each point is a batch of requests, in the order of time."

      private

      def any? = course?(batches)

      def parts = [course(batches), figures]

      def batches
        values = @document[:batches].to_a.map { |batch| batch[:answered_per_s] }
        [{ name: @document[:server], values:, warm: nil }]
      end

      def figures
        found = @document[:batch_figures] or return
        course = Batches::COURSE
        rows = Batches::FIGURES.map do |key, title|
          bounds = found[key].fetch(:more_than, {})
          [title, *course.map { |name| Report::Numbers.latency(found[key][name], bounds[name]) }]
        end
        listed("The course over the batches", ["", *course.map(&:to_s)], rows)
      end
    end
  end
end
