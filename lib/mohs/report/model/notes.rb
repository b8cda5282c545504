# frozen_string_literal: true

module Mohs
  module Report
    class Model
      # What to know about the figures: one line each, under the table.
      class Notes
        KINDS = {
          "service" => "service times of a closed loop",
          "response" => "response times under a given rate",
        }.freeze
        REPEATS = { body: "same body each time", length: "same length each time",
                    status: "another body each time" }.freeze

        # Facts that every variant has to attest, as they are called.
        ALWAYS = { interpreter: "interpreter", jit: "JIT" }.freeze

        # The check that is told in figures.
        OTHERS = "other_processes"

        # Requests of a mix that are told one by one.
        FEW = 3

        #: (Hash[Symbol, untyped], Array[Store::Trial]) -> void
        def initialize(document, trials)
          @document = document
          @measured = document[:rows].select { |row| row[:state] == "measured" }
          @trials = trials.select(&:measured?)
        end

        #: () -> Array[Hash[Symbol, String]]
        def to_a
          told = [["latency", latency], ["latency", crowding], ["answers", answers],
                  ["attested", attested], *app, *checks, *failures, ["host", host]]
          told.filter_map { |name, text| text && { name:, text: } }
        end

        private

        def latency
          return if @measured.empty?

          connections = @document[:connections]
          [KINDS.fetch(@measured.first[:latency_ms][:kind]),
           connections && count(connections, "connection")].compact.join(", ")
        end

        def crowding
          slots = @measured.to_h do |row|
            workers, threads = row[:attested].values_at(:workers, :threads)
            [row[:variant], workers && threads && (workers * threads)]
          end
          Crowding.text(@document[:connections], slots)
        end

        def answers
          learnt = @trials.flat_map { |trial| trial.answers.to_a }.uniq(&:request)
          return if learnt.empty?

          text = learnt.size > FEW ? summary(learnt) : each_of(learnt)
          "#{text} (checked on all #{number(@measured.sum { |row| row[:requests] })})"
        end

        def each_of(learnt)
          learnt.map { |answer| answer_text(answer, learnt.one?) }.join("; ")
        end

        def answer_text(answer, only)
          length = "#{number(answer.length)} bytes" unless answer.kind == :status
          text = [answer.status, length, REPEATS.fetch(answer.kind), answer.note].compact.join(", ")
          only ? text : "#{answer.request}: #{text}"
        end

        def summary(learnt)
          kinds = learnt.map(&:kind).tally
          told = kinds.map { |kind, count| "#{count} #{REPEATS.fetch(kind)}" }
          "#{learnt.size} requests: #{told.join(', ')}"
        end

        def attested
          facts = @measured.map { |row| row[:attested] }
          return if facts.all?(&:empty?)

          said = [*ALWAYS.select { |key, _| facts.all? { |fact| fact[key] } }.values, shape(facts),
                  malloc(facts)].compact
          missing = facts.flat_map { |fact| fact[:unattested].to_a }.uniq
          "#{said.join(', ')} · not attested: #{missing.empty? ? '-' : missing.join(', ')}"
        end

        # "1 process x 5 threads", where it is the same everywhere.
        def shape(facts)
          workers, threads = %i[workers threads].map { |key| facts.map { |fact| fact[key] }.uniq }
          return unless workers.one? && workers.first

          processes = count(workers.first, "process", "processes")
          return processes unless threads.one? && threads.first

          "#{processes} x #{count(threads.first, 'thread')}"
        end

        def malloc(facts)
          kinds = facts.filter_map { |fact| fact[:malloc] }.uniq
          "#{kinds.join('/')} malloc" if kinds.any?
        end

        def app
          notes = @trials.flat_map(&:notes)
          notes.uniq.map { |note| ["app", note] }
        end

        def checks
          @measured.flat_map do |row|
            failed = row[:checks].select { |check| check[:ok] == false && !chance?(check) }
            unsteady = row[:verdict][:reasons].grep(/\Anot steady/)
            told = failed.map { |check| check[:detail] } + unsteady
            told.map { |detail| ["checks", "#{row[:variant]}: #{detail}"] }
          end
        end

        # A trend in fewer than half of the trials is the host's: it stays among the row's checks.
        def chance?(check)
          few, all = check[:detail].scan(/\A(\d+) of (\d+) trials:/).first&.map(&:to_i)
          check[:name] == "trend" && few && few * 2 < all
        end

        # Trials that ended because mohs did are no fault of the server's.
        def failures
          @measured.filter_map do |row|
            failures = row[:failures].reject { |failure| failure[:state] == Row::LOST[:state] }
            next if failures.empty?

            tried = row[:trials][:started] - (row[:failures].size - failures.size)
            reasons = failures.map { |failure| failure[:reason].to_s.lines.first.to_s.strip }
            share = "#{failures.size} of #{tried} trials failed"
            ["trials", "#{row[:variant]}: #{share}: #{reasons.uniq.join('; ')}"]
          end
        end

        def host
          share = @document[:host][:noise][:foreign_cpu_share] or return
          others = @document[:host][:against].to_a.reject { |check| check[:name] == OTHERS }
          labels = others.map { |check| check[:label] }.join(", ")
          ["other processes took #{format('%.2g', share * 100)} % of the CPU",
           ("against it: #{labels} (mohs doctor)" unless labels.empty?)].compact.join(" · ")
        end

        def number(value) = Verdict::Words.number(value)

        def count(number, one, many = "#{one}s") = "#{number} #{number == 1 ? one : many}"
      end
    end
  end
end
