# frozen_string_literal: true

module Mohs
  class Trial
    class WarmUp
      # The pages of a server, as far as its JIT is concerned. Addresses of one route run the same
      # code, so they are one page if their responses are alike (Shapes).
      module Pages
        # Its share of the requests, and of the time that all of them take.
        Page = Struct.new(:share, :of_time, keyword_init: true)

        # A server of a single page.
        SINGLE = [Page.new(share: 1, of_time: 1.0).freeze].freeze

        # Pages that take this share of the time together need not be compiled: they hardly change
        # what a request costs.
        RARE = Rational(1, 20)

        # A part of an address that stands for a record: /posts/12, /users/4f1c-9a. So does the last
        # part of more than SIBLINGS addresses that differ in it alone, if it is not the only one,
        # and none takes more than ALIKE times as long as another: /posts/ruby, but hardly the
        # resources of an API.
        RECORD = /\d/
        SIBLINGS = 10
        ALIKE = 2
        PARENT = %r{\A\S+ /.+/}

        class << self
          # Of the responses that were learned. The block gives the seconds of one.
          #: (Array[App::Answer]) { (App::Answer) -> Float } -> Array[Trial::WarmUp::Pages::Page]
          def of(answers)
            alike = answers.zip(Shapes.numbers(answers)).group_by(&:last).values
            build(alike.flat_map.with_index do |pairs, shape|
              merged(pairs.map do |answer, _|
                request = answer.request
                [route(request.method, request.path), request.weight, yield(answer)]
              end).map { |route, *others| [[shape, route], *others] }
            end)
          end

          # Of the actions of a scenario, whose requests count as equally slow, so times can't tell
          # records from resources.
          #: (Load::Scenario) -> Array[Trial::WarmUp::Pages::Page]
          def of_scenario(scenario)
            build(scenario.actions.flat_map do |action|
              scenario.steps[action.steps].map do |step|
                [route(step.method, step.path), action.weight, 1]
              end
            end)
          end

          # Those that take the most time, without the RARE ones.
          #: (Array[Trial::WarmUp::Pages::Page]) -> Array[Trial::WarmUp::Pages::Page]
          def common(pages)
            sorted = pages.sort_by { |page| -page.of_time }
            covered = 0
            sorted.first(1 + sorted.index { |page| (covered += page.of_time) >= 1 - RARE })
          end

          private

          # From [page, weight, seconds].
          def build(requests)
            return SINGLE if requests.empty?

            weights = requests.sum { |_, weight, _| weight }
            time = requests.sum { |_, weight, seconds| weight * seconds }
            requests.group_by(&:first).values.map do |same|
              Page.new(share: Rational(same.sum { |_, weight, _| weight }, weights),
                       of_time: same.sum { |_, weight, seconds| weight * seconds } / time.to_f)
            end
          end

          def merged(requests)
            families = requests.group_by { |route, *| route[PARENT] }.except(nil)
            records = families.select { |_, children| records?(children) }
            requests.map do |route, *others|
              [records.key?(route[PARENT]) ? "#{route[PARENT]}*" : route, *others]
            end
          end

          def records?(children)
            fastest, slowest = children.map(&:last).minmax
            children.map(&:first).uniq.size > SIBLINGS && slowest <= ALIKE * fastest
          end

          def route(method, path)
            parts = path[/\A[^?]*/].split("/").map { |part| part.match?(RECORD) ? "*" : part }
            "#{method} #{parts.join('/')}"
          end
        end
      end
    end
  end
end
