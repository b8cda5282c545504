# frozen_string_literal: true

module Mohs
  module Repro
    # One published study: the outcome of its claims, each claim with the published figure and
    # ours, and where to see more.
    class View < Report::Views::Base
      KIND = "repro"
      LISTS = { studies: "repro --list" }.freeze
      SECTIONS = [Section, SharesSection, *Report::Sections::OF_RUNS].freeze
      ABSENT = Report::View::Cell::ABSENT
      # The size that measures most.
      FULL = "full"
      # Metrics of the load that follows a cold start.
      AFTER_START = %w[throughput p50 p99].freeze
      LEAST_FIRST = [%i[published], %i[here]].freeze
      # What was run: how each line is called, and the keys of published.yml of which it has the
      # source's own words.
      SETTING = { application: ["application", %i[application microbenchmark]],
                  load: ["load", %i[load]], machine: ["machine", %i[machine]],
                  software: ["software", %i[software rubies ruby servers server]],
                  repeats: ["repeats", %i[repeats]] }.freeze
      # Versions of interpreters, as they call themselves.
      VERSION = /\A(?:j|truffle)?ruby \S+/
      NUMBERED = /\A\d+(?:\.\d+)+(?<more> and \d+(?:\.\d+)+)?/

      #: (Hash[Symbol, untyped]) -> bool
      def self.of?(document) = super && !AllView.of?(document)

      private

      def own_name = @document[:name]

      def tables
        [*([setting] if @document[:environment].to_h.any?),
         table(:claims, columns, claims.map { |claim| row(claim) }, least_first: LEAST_FIRST),
         *([overheads] if @document[:overheads].to_a.any?),
         *([variants] if named_otherwise.any?), *cold_start.tables]
      end

      # What was run there and here, in five lines.
      def setting
        there = @document[:environment].to_h.transform_keys(&:to_sym)
        rows = SETTING.filter_map do |what, (label, keys)|
          texts = [there.values_at(*keys).compact.join("; "), here_in(what).to_s]
          next if texts.all?(&:empty?)

          sides = texts.map { |text| text.empty? ? ABSENT : cell(text) }
          { what: cell(label), there: sides.first, here: sides.last }
        end
        table(:setting, [column(:what, "", name: "what was run"), column(:there, "in the source"),
                         column(:here, "here")], rows)
      end

      def here_in(what)
        own = @document[:here].to_h.transform_keys(&:to_sym)
        case what
        when :machine then machine
        when :software then software
        when :repeats then repeats
        when :application then application(*own.values_at(:app, what).compact)
        else own[what]
        end
      end

      # Its name and what it is, as far as the study says so; else what the run was asked for.
      def application(*own) = own.any? ? own.join(", ") : Report::Subject.of(@document)

      def machine
        cpu, cores, memory, kernel, virtual =
          @document.dig(:host, :fingerprint).to_h
                   .values_at(:cpu, :cores, :memory_bytes, :kernel, :virtual)
        return unless cores

        what = [*cpu, *("a virtual machine" if virtual)].join(", ")
        has = [Report::Numbers.cores(cores),
               *("#{Report::Numbers.gigabytes(memory)} of memory" if memory)].join(" and ")
        [*(what unless what.empty?),
         "#{has}, shared by the servers, the load driver and everything else",
         *("Linux #{kernel}" if kernel)].join("; ")
      end

      def software
        names = @document[:software].to_a.map { |text| text[VERSION] || text }
        names.uniq.join(", ") if names.any?
      end

      def repeats
        done = @document[:rounds].to_h[:done] or return

        ["#{Report::Numbers.counted(done, 'round')}, in each of which every server is booted " \
         "anew and takes turns with others", *day].join("; ")
      end

      # When it was measured, if the run is over.
      def day
        ended = @document[:finished_ms] or return

        "#{Time.at(ended / 1000).utc.strftime('%-d %B %Y')}, mohs #{@document[:mohs]}"
      end

      def columns
        [column(:claim, "claim (place)"), column(:published, "published"), column(:here, "here"),
         column(:judgement, "judgement")]
      end

      def claims = @document[:claims]

      def row(claim)
        text = "#{'* ' if claim[:headline]}#{claim[:text]} (#{place(claim)})"
        outcome = Outcomes::WORDS.fetch(claim[:judgement])
        { claim: cell(text),
          published: cell(PublishedText.new(claim).to_s, value: claim[:published]),
          here: claim[:value] ? found_here(claim) : ABSENT,
          judgement: cell([outcome, *claim[:reason]].join(": "),
                          tone: Outcomes.tone(claim[:judgement])) }
      end

      # Where the source says it: "source: sections 3.3.3 and 3.3.6". A number with points alone
      # would read like a version.
      def place(claim)
        text = claim[:place].sub(NUMBERED) { "section#{'s' if $~[:more]} #{$&}" }
        "source: #{text}"
      end

      # Variants whose names are not what they run.
      def named_otherwise
        @document[:variants].to_a.reject { |one| one[:name] == one[:runs] }
      end

      # What they run.
      def variants
        rows = named_otherwise.map { |one| { variant: cell(one[:name]), runs: cell(one[:runs]) } }
        table(:variants, [column(:variant, "variant"), column(:runs, "what it runs")], rows)
      end

      # Each claimed overhead in microseconds, with its interval.
      def overheads
        rows = @document[:overheads].map do |one|
          value, *ends = [one[:value_us], *one[:interval_us]].map { |us| Report::Numbers.whole(us) }
          { overhead: cell("#{one[:of]} over #{one[:over]}"),
            value: cell(value, value: one[:value_us]),
            interval: cell(("[#{ends.join(', ')}]" if ends.any?)) }
        end + judged_overheads
        table(:overheads, [column(:overhead, "overhead"), column(:value, "µs a request"),
                           column(:interval, "", name: "interval")], rows,
              caption: say("repro_overheads"))
      end

      # The ratios of two overheads by which claims are judged: what is between the intervals above.
      def judged_overheads
        judged = claims.select { |claim| claim[:over] && claim[:value] }
        judged.group_by { |claim| overheads_in_short(claim) }.flat_map do |short, same|
          same.map { |claim| judged_overhead(claim, same.one? ? short : Sides.new(claim)) }
        end
      end

      def judged_overhead(claim, name)
        change = Report::Change.new({ effect: claim[:value], interval: claim[:interval] })
        { overhead: cell("#{name}, as judged"), value: cell(change.signed, value: claim[:value]),
          interval: cell(change.interval) }
      end

      # Without what they are over.
      def overheads_in_short(claim)
        Sides.new(claim).overheads.map { |pair| Report::Numbers.called(pair.first) }
             .join(" against ")
      end

      def pictures = { shares: @document[:shares], cold_start: cold_start.courses }

      def cold_start = Report::Views::ColdStart.new(@document[:cold_start])

      def found_here(claim)
        cell(figure_here(claim), value: claim[:value], aside: compared(claim))
      end

      def figure_here(claim)
        return [Report::Numbers.share(claim[:value]), *interval(claim)].join(" ") \
          if claim[:kind] == "share"

        change = Report::Change.new({ effect: claim[:value], interval: claim[:interval] })
        [change.signed, *change.interval].join(" ")
      end

      # Of what our figure is, by the names of what ran, with the figures of both sides.
      def compared(claim)
        return unless claim[:of]

        sides = Sides.new(claim)
        return "of the CPU time, #{sides}" if claim[:kind] == "share"

        # The microseconds of overheads have a table: their quotient is not the ratio that is
        # judged.
        ["#{sides.quantity},", sides, *Sides.figures(claim[:measured])].join(" ")
      end

      def interval(claim) = claim[:interval] && Report::Numbers.shares(claim[:interval])

      def facts
        counts = @document[:counts].to_h
        Outcomes::WORDS.filter_map do |name, text|
          [text, counts[name.to_sym].to_s] if counts[name.to_sym].to_i.positive?
        end
      end

      def remarks
        [unmeasured, missing, rests, published_here, averages, accepted, after_start, warm, without,
         *cautions_of, data, source, differs].compact
      end

      def source
        address = @document.dig(:source, :address)
        remark("source", address, code: :source) if address
      end

      def next_lines
        [*suggestions, stopped, (show("its table", table: true) if @document[:run])].compact
      end

      def rests
        return if claims.none? { |claim| claim[:headline] }

        remark("*", "a central claim of the source: tested more strictly (method.md)")
      end

      # What measures the claims that were not: the larger size, or the same again.
      def unmeasured
        return unless claims.any? { |claim| claim[:judgement] == Judge::NOT_MEASURED }

        size = @document[:size]
        size = FULL if size
        name = @document[:folder] || @document[:name]
        remark("measure", "what was not measured, and can be tested here:",
               command: Report::Proposal.to("repro", name, **CommandLine.sized(size)))
      end

      # What could be tested if more Rubies were installed.
      def missing
        absent = claims.flat_map { |claim| claim[:findings].to_a }
                       .select { |one| one[:code] == Missing::CODE }
        found = Missing.of(absent.filter_map { |one| one[:values]&.fetch(:interpreters) })
        remark("missing", say("repro_missing", **found.to_h)) if found.any?
      end

      def averages
        remark("here", say("repro_averages")) if claims.any? { |claim| claim[:measured].to_a.any? }
      end

      def accepted
        return if claims.none? { |claim| claim[:kind] == "ratio" && claim[:published] }

        remark("accepted", say("repro_accepted"))
      end

      # Beside a table of batches: claims compare other figures.
      def after_start
        return if @document[:cold_start].to_a.empty? || @document[:from_raw]

        remark("claims", say("repro_after_start")) \
          if claims.any? { |one| one[:value] && AFTER_START.include?(one[:metric]) }
      end

      def warm
        remark("warm", say("repro_counts_as_warm")) if claims.any? { |one| one[:kind] == "warm" }
      end

      def published_here = (text = legend) && remark("published", text)

      def cautions_of
        @document[:cautions].to_a.map { |one| remark(*one.values_at(:name, :text)) }
      end

      def data
        from = @document[:from_raw]
        remark("data", "the source's own, #{from}") if from
      end

      def differs
        notes = @document[:notes]
        remark("notes", "what differs from the source: #{notes}") if notes
      end

      def legend
        return if @document[:claims].none? { |claim| claim[:value] }

        figures = shares? ? "a ratio of two of the source's figures, or a share" \
                          : "a ratio of two of the source's figures"
        where = if @document[:from_raw] then "the same by the source's own data"
                else "the same in one run, in which the servers took turns"
                end
        "#{figures}; here: #{where}. In brackets: the 95 % confidence interval"
      end

      def shares? = @document[:claims].any? { |claim| claim[:kind] == "share" }

      # Levels that this size doesn't measure.
      def without
        names = @document.dig(:levels, :left_out).to_a
        return if names.empty?

        remark("without", "#{names.join(', ')}: not measured with --#{@document[:size]}")
      end

      def stopped
        return if [nil, "finished", "running"].include?(@document[:state])

        name = @document[:folder] || @document[:name]
        remark("stopped", "continue:", command: Report::Proposal.to("repro", name, resume: true))
      end
    end
  end
end
