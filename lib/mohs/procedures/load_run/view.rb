# frozen_string_literal: true

module Mohs
  class LoadRun
    # A load: the rate, the latencies, the course, and what the connections and the driver did.
    class View < Report::Views::Base
      include FailedChecks

      KIND = "load"
      LACKS = "a load has no variants"
      TIMES = { min: "min", p50: "p50", p90: "p90", p99: "p99", p999: "p99.9", max: "max" }.freeze
      SECTIONS = [RatesSection, Section, PercentilesSection, Report::Sections::Heat, CourseSection,
                  ChecksSection, Report::Sections::Provenance].freeze

      # A shorter end of the load is not worth a line.
      DRAIN_SHARE = 0.05
      # Nor is a smaller difference between the rate and a plain count of responses.
      PLAIN_SHARE = 0.05

      #: (Hash[Symbol, untyped]) -> bool
      def self.of?(document)
        super && [RateView, StreamView, ConnectionView].none? { |one| one.of?(document) }
      end

      # What was loaded, in one line (Report::Subject): the server, its requests, and the
      # connections.
      #: (Hash[Symbol, untyped]) -> String
      def self.subject(document)
        server, requested, scenario, connections =
          document.values_at(:server, :requested, :scenario, :connections)
        connections = connections[:asked] if connections.is_a?(Hash)
        requested = [scenario[:file]] if scenario
        Report::Subject.of({ app: server, requested:, connections: })
      end

      private

      def called = @document[:server]

      def subject = View.subject(@document)

      # The rate, and how many of the responses were correct.
      def headline
        sent, good = @document[:requests].values_at(:sent, :good)
        seconds = format("%.1f", @document[:duration_s])
        share = good && sent == good ? "all" : Report::Numbers.whole(good)
        say("load_answered", rate: @document[:rate_per_s], seconds:, sent:, share:, answers:)
      end

      # The definition of a correct response in words, as precise as the check.
      def answers
        return say("load_as_expected") unless @document[:answers].one?

        answer = @document[:answers].first
        body = say("load_#{answer[:kind]}", length: answer[:length])
        text = say("load_each_with", text: answer[:expect].inspect) if expected?(answer)
        "#{answer[:status]}#{body}#{text}"
      end

      # Whether to name the expected text: an identical body contains it anyway, and other tools
      # don't look for it.
      def expected?(answer)
        answer[:expect] && %w[length status].include?(answer[:kind])
      end

      def facts
        latency = @document[:latency_ms]
        times = %i[p50 p99 max].map do |name|
          value, bound = latency[name], latency.dig(:more_than, name)
          "#{name} #{Report::Numbers.latency_with_unit(value, bound)}"
        end
        failed, cores = @document.dig(:errors, :total).to_i, @document[:driver_cores]
        [["how fast", "#{Report::Numbers.figure(@document[:rate_per_s])} requests/s"],
         ["latency (#{latency[:kind]})", times],
         ["errors", failed.zero? ? "none" : Report::Numbers.whole(failed)],
         ["driver", cores && "#{Report::Numbers.figure(cores)} cores"]]
      end

      # The answer says it.
      def basis = nil

      def tables = [latencies, batches, scenario, steps].compact

      # Latencies of the load's kind and, in an open loop, the service times, too.
      def latencies
        kinds = @document[:open_loop] ? %i[latency_ms service_ms] : %i[latency_ms]
        known = @document.values_at(*kinds).select do |values|
          values.values_at(*TIMES.keys).any? || values[:more_than]&.any?
        end
        rows = known.map { |values| { kind: cell(values[:kind]), **times(values) } }
        return if rows.empty?

        columns = TIMES.map { |key, title| column(key, title, figure: true) }
        table(:latencies, [column(:kind, "latency, ms"), *columns], rows, runs_on: true)
      end

      def times(values, keys = TIMES.keys)
        keys.to_h do |key|
          value, bound = values[key], values.dig(:more_than, key)
          [key, cell(Report::Numbers.latency(value, bound), value: value || bound)]
        end
      end

      # The first and the last batch, and a summary of those between.
      def batches
        all, figures = @document.values_at(:batches, :batch_figures)
        return if all.empty?

        count, size = all.size, all.first[:requests]
        title = "#{Report::Numbers.counted(count, 'batch', 'batches')} of #{Report::Numbers.thousands(size)}"
        course = Batches::COURSE
        rows = Batches::FIGURES.map do |key, name|
          { figure: cell(name), **times(figures[key], course) }
        end
        columns = course.map { |name| column(name, name.to_s, figure: true) }
        table(:batches, [column(:figure, title, figure: true), *columns], rows, runs_on: true)
      end

      def scenario
        steps = @document.dig(:scenario, :steps) or return
        table(:scenario,
              [column(:action, "action"), column(:step, "step", names: true),
               *{ sent: "sent", good: "right", p50: "p50 ms", p99: "p99" }.map do |key, title|
                 column(key, title, figure: true)
               end], steps.map { |step| step_of_scenario(step) }, runs_on: true)
      end

      def step_of_scenario(step)
        counts = step.slice(:sent, :good).transform_values { |count| whole(count) }
        values = { p50: step[:p50_ms], p99: step[:p99_ms], more_than: step[:more_than] }
        { action: cell(step[:action] || Report::Numbers::NONE), step: cell(step[:request]),
          **counts, **times(values, %i[p50 p99]) }
      end

      # A line for each rate of an open loop that has several.
      def steps
        rows = @document[:steps].map { |step| step(step) }
        return if rows.empty?

        titles = { due: "requests/s due", answered: "answered/s", p50: "p50, ms", p99: "p99, ms",
                   max: "max, ms", late: "late", errors: "errors" }
        columns = titles.map { |key, title| column(key, title, figure: true) }
        table(:steps, columns, rows, runs_on: true)
      end

      def step(step)
        due = Intent.ends(*step.values_at(:rate_per_s, :to_per_s))
        counts = step.slice(:late, :errors).transform_values { |count| whole(count) }
        { due: cell(due, value: step[:rate_per_s]),
          answered: figure(step[:answered_per_s]),
          **times(step[:response_ms], %i[p50 p99 max]), **counts }
      end

      # The histogram of latencies, and the course of the batches in figures.
      def pictures
        { histogram: @document[:histogram], batches: course }
      end

      # A bound is drawn like a value.
      def course
        all = @document[:batches]
        times = %i[p50 p99].map do |name|
          all.map { |one| one[:latency_ms][name] || one.dig(:latency_ms, :more_than, name) }
        end
        [all.map { |one| one[:answered_per_s] }, *times]
      end

      def remarks
        [drain, plain, errors, first_wrong, unanswered, *actions, arrivals, connections, tls,
         starved, driver, *failed_checks].compact
      end

      # Counts by class of error, the most frequent first.
      def classes(counts)
        counts.sort_by { |_, count| -count }
              .map { |name, count| "#{name} #{Report::Numbers.whole(count)}" }.join(", ")
      end

      # What came when some connections had nothing more to send, if that took long.
      def drain
        drain_s, drained, duration_s = @document.values_at(:drain_s, :drained, :duration_s)
        return unless drain_s && drain_s > DRAIN_SHARE * duration_s

        code = drained.positive? ? "load_drained" : "load_uneven"
        remark("drain", say(code, seconds: drain_s, drained:, duration_s:), code: :drain)
      end

      # What other tools would print, if it is another rate.
      def plain
        rate, plain = @document.values_at(:rate_per_s, :plain_per_s)
        return unless plain && (rate - plain).abs > PLAIN_SHARE * rate

        remark("plain count", say("load_plain", rate: plain), code: :plain)
      end

      def errors
        total, by_class = @document[:errors].values_at(:total, :by_class)
        return if total.zero?

        remark("errors", say("load_errors", total:, classes: classes(by_class)), code: :errors)
      end

      # The first incorrect response, for a user who reads that there was one.
      def first_wrong
        failed = @document[:errors][:first_wrong] or return
        remark("first", say("load_first_wrong", **failed.slice(:status, :bytes)),
               code: :first_wrong)
      end

      # Why some figures are bounds.
      def unanswered
        count = @document[:latency_ms][:unanswered]
        return unless count&.positive?

        unsent = @document[:open_loop]&.fetch(:unsent)
        remark("bounds", say("load_unanswered", count:, unsent:), code: :unanswered)
      end

      def actions
        scenario = @document[:scenario] or return []
        begun, finished = scenario[:actions].values_at(:begun, :finished)
        logins = scenario[:logins]
        text = ["#{Report::Numbers.whole(begun)} actions begun, " \
                "#{Report::Numbers.whole(finished)} finished with every step right",
                *("#{Report::Numbers.whole(logins)} clients logged in" if logins)].join(" · ")
        [remark("actions", text, code: :actions), *failed_steps(scenario[:steps])]
      end

      def failed_steps(steps)
        failed = steps.select { |step| step[:errors][:total].positive? }
        failed.map do |step|
          remark("errors", "#{step[:request]}: #{classes(step[:errors][:by_class])}",
                 code: :failed_step)
        end
      end

      def arrivals
        facts = @document[:open_loop] or return
        did(:arrivals, Intent.rate(rates, facts[:arrivals], burst: facts[:burst]),
            say("load_queued", count: facts[:queued]), *lag)
      end

      def rates
        stages = @document[:steps].empty? ? [@document[:open_loop]] : @document[:steps]
        stages.map { |stage| stage.values_at(:rate_per_s, :to_per_s) }
      end

      def lag
        p50, p99 = @document[:send_lag_ms].values_at(:p50, :p99)
        say("load_lag", p50:, p99:) if p50
      end

      def connections
        counts = @document[:connections]
        return unless counts[:opened] # another tool doesn't say

        totals = %i[asked opened lost].map { |key| "#{Report::Numbers.whole(counts[key])} #{key}" }
        ends = counts.values_at(:requests_min, :requests_max).map { |one| Report::Numbers.whole(one) }
        each = "#{ends.join(' to ')} requests each" if @document[:steps].empty?
        did(:connections, *[totals.join(", "), each].compact)
      end

      # What TLS took, apart from the requests.
      def tls
        facts = @document[:tls] or return
        did(:tls, say("load_tls", **facts.slice(:handshakes, :failed, :p50_ms)), name: "TLS")
      end

      def starved
        count, longest_ms = @document[:starved]&.values_at(:connections, :longest_ms)
        return unless count

        enough = @document[:connections][:asked] - count
        did(:starved, say("load_starved", count:, seconds: longest_ms / 1000, enough:))
      end

      def driver
        threads, cores = @document.values_at(:threads, :driver_cores)
        return unless cores

        used = "#{Report::Numbers.figure(cores)} cores"
        return did(:driver, used, name: driver_name) unless threads

        whose = threads == 1 ? "its core" : "each of its #{threads} cores"
        did(:driver, "#{Report::Numbers.tenths(cores / threads)} of #{whose}",
            *held("headroom", "headroom"), *held("little_law", "Little's law"),
            name: driver_name)
      end

      # The name of another tool, or "driver".
      def driver_name
        name = @document[:driver]
        [nil, "native"].include?(name) ? "driver" : name
      end

      # The detail of a check that passed.
      def held(name, title)
        check = @document[:checks].find { |candidate| candidate[:name] == name }
        "#{title} #{check[:detail]}" if check && check[:ok]
      end

      def did(code, *texts, name: code.to_s) = remark(name, texts.join(" · "), code:)
    end
  end
end
