# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # Every response was the expected one, as learned beforehand. A wrong one voids the speed: an
      # error page is fast. If the server was asked again (App::AnswerDiagnosis), the finding says
      # why.
      class Answers < Base
        # Error classes of complete responses that are not the expected ones.
        WRONG = %w[wrong_status wrong_type wrong_length wrong_body missing_text].freeze

        # The chance of calling two shares of wrong responses different by mistake.
        ALPHA = 0.01

        SHARE = lambda do |values, numbers|
          "#{numbers.percent(values[:share])} of the responses were wrong with " \
            "#{numbers.counted(values[:connections], 'connection')}"
        end

        ALONE = ->(values, numbers) { "none of #{numbers.whole(values[:alone])} one at a time" }

        # How the first wrong response of the load differs from the right one.
        APART = lambda do |values, numbers|
          same, offset, right, wrong = values[:apart].values_at(:same, :offset, :right, :wrong)
          next "the first is right for its first #{numbers.whole(same)} bytes" if same

          "the first differs at byte #{numbers.whole(offset)}: #{wrong} instead of #{right}"
        end

        # "; GET / differs at byte 5: "user 7" instead of "user 5"", if such a response was seen.
        DIFFERENCE = lambda do |values, numbers|
          request, part, offset, right, wrong =
            values[:difference].to_h.values_at(:request, :part, :offset, :right, :wrong)
          next "; #{APART.call(values, numbers)}" if part.nil? && values[:apart]
          next values[:first] ? "; the first began #{values[:first]}" : "" unless part
          next "; #{request} answered #{wrong} instead of #{right}" if part == "status"
          next "; #{request} gave #{wrong} bytes instead of #{right}" if part == "length"
          next "; #{request} gave #{wrong || 'no type'} instead of #{right}" if part == "type"
          next "; #{request} lacked #{right.inspect}" if part == "text"

          "; #{request} differs at byte #{numbers.whole(offset)}: #{wrong.inspect} instead of " \
            "#{right.inspect}"
        end

        WORDS = {
          expected: lambda do |values, numbers|
            "same #{values[:kinds].join(' or ')} each time, checked on all " \
              "#{numbers.whole(values[:good])}"
          end,
          followed: "each as its step of the scenario expects, checked on all %{good|count}",
          wrong: "%{share|percent} of the responses were wrong: %{errors|counts}",
          wrong_shown: "%{share|percent} of the responses were wrong: %{errors|counts}; " \
                       "the first began %{first}",
          wrong_apart: lambda do |values, numbers|
            "#{numbers.percent(values[:share])} of the responses were wrong: " \
              "#{numbers.counts(values[:errors])}; #{APART.call(values, numbers)}"
          end,
          shared_state: lambda do |values, numbers|
            instead = values[:instead]
            "the application shares state between threads: " \
              "#{SHARE.call(values, numbers)}, #{ALONE.call(values, numbers)}" \
              "#{DIFFERENCE.call(values, numbers)}" \
              "#{"; serve it in processes: #{instead}" if instead}"
          end,
          at_once: lambda do |values, numbers|
            "right one at a time, wrong at once: #{SHARE.call(values, numbers)}, " \
              "#{ALONE.call(values, numbers)}#{DIFFERENCE.call(values, numbers)}; " \
              "threads that share state do this: serve it in processes of one thread"
          end,
          under_load: lambda do |values, numbers|
            "wrong under load only: #{SHARE.call(values, numbers)} " \
              "(#{numbers.counts(values[:errors])}), #{ALONE.call(values, numbers)}" \
              "#{DIFFERENCE.call(values, numbers)}"
          end,
          some_workers: lambda do |values, numbers|
            "#{values[:bad].size} of #{values[:workers]} workers " \
              "#{values[:bad].one? ? 'answers' : 'answer'} wrong (pid #{values[:bad].join(', ')})" \
              ", also one at a time, the others right: #{SHARE.call(values, numbers)}" \
              "#{DIFFERENCE.call(values, numbers)}"
          end,
          signed_out: lambda do |values, numbers|
            "the session has ended: #{values[:difference][:request]} leads to a login page now, " \
              "also one at a time (#{numbers.whole(values[:alone_wrong])} of " \
              "#{numbers.whole(values[:alone])}). Either it expired, or the application ends a " \
              "session that many connections share"
          end,
          alone_too: lambda do |values, numbers|
            wrong, alone = values.values_at(:alone_wrong, :alone)
            some = wrong == alone ? "all" : "#{numbers.whole(wrong)} of"
            "#{SHARE.call(values, numbers)}, and #{some} #{numbers.whole(alone)} one at a time" \
              "#{': the responses have changed since they were learned' if wrong == alone}" \
              "#{DIFFERENCE.call(values, numbers)}"
          end,
        }.freeze

        private

        def needs = %i[slices answers]

        def judge
          wrong = errors_of(facts[:slices]).slice(*WRONG)
          return right if wrong.empty?

          values = error_values(wrong, sum(:sent))
          cause = facts[:diagnosis] && cause(wrong)
          return bad(cause, **values, **diagnosed) if cause

          kind = { apart: :wrong_apart, first: :wrong_shown }.find { |name, _| values.key?(name) }
          bad(kind ? kind.last : :wrong, **values)
        end

        def right
          return pass(:followed, good: sum(:good)) if facts[:scenario]

          pass(:expected, kinds:, good: sum(:good))
        end

        # What the requests of the diagnosis show; nil if they leave the cause open.
        def cause(wrong)
          return :some_workers if bad_workers.any?
          return signed_out? ? :signed_out : :alone_too if alone[:wrong].positive?
          return unless rarer_alone?(wrong.values.sum)
          return :under_load if one_at_a_time? || wrong.keys == %w[wrong_status]

          facts[:diagnosis].key?(:processes) ? :shared_state : :at_once
        end

        def signed_out? = facts[:diagnosis][:difference].to_h[:signed_out]

        def alone = facts[:diagnosis][:alone]

        def workers = facts[:diagnosis][:workers]

        # The workers with wrong responses, if that sets them apart from the others beyond chance;
        # else none.
        def bad_workers
          bad, good = workers.partition { |one| one[:wrong].positive? }
          return [] if bad.empty? || good.empty?

          asked, wrong = %i[asked wrong].map { |key| bad.sum { |one| one[key] } }
          p = Stats::Fisher.p(wrong, asked - wrong, 0, good.sum { |one| one[:asked] })
          p < ALPHA ? bad : []
        end

        def rarer_alone?(wrong)
          Stats::Fisher.p(wrong, sum(:sent) - wrong, 0, alone[:asked]) < ALPHA
        end

        # Is there nothing that threads could share?
        def one_at_a_time?
          facts[:diagnosis][:threads] == 1 || facts[:diagnosis][:connections] == 1
        end

        def diagnosed
          { **facts[:diagnosis].slice(:connections, :difference, :instead),
            alone: alone[:asked], alone_wrong: alone[:wrong], workers: workers.size,
            bad: bad_workers.map { |one| one[:pid] } }
        end

        # The part that was the same each time: "body", "length" or "status".
        def kinds = facts[:answers].map { |answer| answer[:kind] }.uniq

        def sum(key) = facts[:slices].sum { |slice| slice[key] }
      end
    end
  end
end
