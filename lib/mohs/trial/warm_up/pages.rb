# frozen_string_literal: true

module Mohs
  class Trial
    class WarmUp
      # The pages of a server, as far as its JIT is concerned. Addresses of one route run the same
      # code, so they are one page if their responses are alike (Shapes) and take about as long.
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

        # What takes more than so many times as long as another probably runs other code:
        # /report?kind=totals beside ?kind=list.
        ALIKE = 2
        PARENT = %r{\A\S+ /.+/}

        class << self
          # Of the responses that were learned. The block gives the seconds of one.
          #: (Array[App::Answer]) { (App::Answer) -> Float } -> Array[Trial::WarmUp::Pages::Page]
          def of(answers)
            families = answers.group_by { |answer| family(route_of(answer)) }.values
            build(families.flat_map.with_index do |family, number|
              alike = family.zip(Shapes.numbers(family)).group_by(&:last)
              alike.flat_map do |shape, pairs|
                timed = pairs.map do |answer, _|
                  [route_of(answer), answer.request.weight, yield(answer)]
                end
                apart(merged(timed)).map { |page, *others| [[number, shape, page], *others] }
              end
            end)
          end

          # Of the actions of a scenario. The block gives what a step took, by its number; nil if
          # that is unknown, as before the load. Then all are taken to be equally slow, so that
          # times can't tell records from resources.
          #: (Load::Scenario) ?{ (Integer) -> Numeric? } -> Array[Trial::WarmUp::Pages::Page]
          def of_scenario(scenario, &)
            times = scenario.steps.each_index.map(&) if block_given?
            slowest = times.to_a.compact.max || 1
            build(scenario.actions.flat_map do |action|
              action.steps.map do |number|
                step = scenario.steps[number]
                [route(step.method, step.path), action.weight, times.to_a[number] || slowest]
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

          # What may be one page.
          def family(route) = route[PARENT] || route

          # From those of a family that are alike.
          def merged(requests)
            records = requests.first.first.match?(PARENT) && records?(requests)
            requests.map { |route, *others| [records ? "#{route[PARENT]}*" : route, *others] }
          end

          # Requests of one route that take far longer than its fastest, as a page of their own.
          def apart(requests)
            requests.group_by(&:first).each_value.flat_map { |same| by_time(same) }
          end

          def by_time(requests)
            fastest = nil
            requests.sort_by(&:last).map do |route, weight, seconds|
              fastest = seconds if fastest.nil? || seconds > ALIKE * fastest
              [[route, fastest], weight, seconds]
            end
          end

          def records?(children)
            fastest, slowest = children.map(&:last).minmax
            children.map(&:first).uniq.size > SIBLINGS && slowest <= ALIKE * fastest
          end

          def route_of(answer) = route(answer.request.method, answer.request.path)

          def route(method, path)
            parts = path[/\A[^?]*/].split("/").map { |part| part.match?(RECORD) ? "*" : part }
            "#{method} #{parts.join('/')}"
          end
        end
      end
    end
  end
end
