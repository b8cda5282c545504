# frozen_string_literal: true

require "tmpdir"

module Mohs
  class CLI
    # `mohs gc`: shows the size of the store and the caches; with options, deletes what they name.
    # Deletes nothing that was not named, and nothing of a run in progress.
    class Gc < Base
      SUMMARY = "Shows the disk space of runs and caches; deletes what you name."
      USAGE = "mohs gc [options]"
      AGE = /\A(?<number>\d{1,5})(?<unit>[dw])\z/
      UNITS_S = { "d" => 86_400, "w" => 7 * 86_400 }.freeze

      # Suggested ages.
      OLD = "90d"
      UNUSED = "30d"

      private

      def options(parser)
        parser.on("--older-than AGE", "delete runs that ended longer ago: 90d, 12w") do |text|
          @older_than_s = age("--older-than", text)
        end
        parser.on("--keep N", Integer, "delete all but the newest N runs of each",
                  "application") do |keep|
          raise UsageError, "--keep #{keep}: keep 1 run or more." unless keep.positive?

          @keep = keep
        end
        parser.on("--recordings-only", "of these runs, delete only the recorded requests") do
          @recordings_only = true
        end
        parser.on("--caches AGE", "delete gems, bundles and checkouts that have been",
                  "unused for longer: 30d") do |text|
          @caches_s = age("--caches", text)
        end
        parser.on("--compact", "return free space of the store to the file system") do
          @compact = true
        end
        parser.on("--dry-run", "print what would be deleted, delete nothing") { @dry_run = true }
      end

      def age(option, text)
        match = AGE.match(text) or raise UsageError, "#{option} #{text.inspect}: use 90d or 12w."
        seconds = match[:number].to_i * UNITS_S.fetch(match[:unit])
        raise UsageError, "#{option} #{text}: use 1d or more." unless seconds.positive?

        seconds
      end

      def execute
        check_options
        size, choice, unused = store.size, chosen(runs), unused_caches
        contents = store.contents(choice.go.map(&:id))
        done = dry_run? ? { runs: choice.go, removed: unused } : delete(choice.go, unused)
        document = document(size, choice, contents, **done)
        answer("gc", document) do
          Report::Terminal::SpaceScreen.new(document, style: context.style(context.out)).to_s
        end
      end

      def check_options
        raise UsageError, "--recordings-only: of which runs? Add --older-than #{OLD} or --keep " \
                          "N." if @recordings_only && runs.empty?
        raise UsageError, "--caches: a run is in progress and may need them. Wait until it ends." if
          @caches_s && !@dry_run && retention.busy?
      end

      # The options that select runs.
      def runs = { older_than_s: @older_than_s, keep: @keep }.compact

      def asked = { **runs, caches_s: @caches_s, compact: @compact }.compact

      def dry_run? = @dry_run || asked.empty?

      def store = @store ||= context.store.call

      def caches
        @caches ||= begin
          asked = context.env.fetch("TMPDIR", Dir.tmpdir)
          parent, = Process::ScratchFolder.place(asked:)
          Caches.new(Folders.cache(context.env),
                     scratch: Process::ScratchFolder.abandoned(parent:))
        end
      end

      def retention
        vault = Secrets::Vault.new(env: context.env)
        @retention ||= Experiment::Retention.new(store:, vault:)
      end

      def chosen(runs)
        return Experiment::Retention::Choice.new(go: [], under_way: []) if runs.empty?

        choice = retention.choose(**runs)
        return choice unless @recordings_only

        recorded = store.contents(choice.go.map(&:id)).select { |_, one| one.requests.positive? }
        Experiment::Retention::Choice.new(go: choice.go.select { |run| recorded.key?(run.id) },
                                          under_way: choice.under_way)
      end

      def unused_caches = @caches_s ? caches.unused(@caches_s) : []

      def delete(runs, unused)
        caches.entries # reads the sizes before anything is removed
        removed = caches.remove(unused) # first: a run that begins meanwhile may need them
        deleted = retention.delete(runs, recordings_only: !@recordings_only.nil?)
        kept = give_back if deleted.any? || @compact
        { runs: deleted, removed:, kept: }
      end

      # Rewriting the file would disturb a measurement.
      def give_back = retention.busy? ? :busy : store.give_back

      def document(size, choice, contents, runs:, removed:, kept: nil)
        { dry_run: dry_run? ? true : false, asked: ASKED.merge(asked),
          store: { location: Store::Location.new(nil, context.env).to_s, **size.to_h },
          deletes: @recordings_only ? "recordings" : ("runs" if self.runs.any?),
          runs: runs.map { |run| run_document(run, contents.fetch(run.id)) },
          under_way: choice.under_way.map(&:key),
          freed_bytes: [size.bytes - store.size.bytes, 0].max, kept: kept&.to_s,
          caches: caches.entries.map { |one| { **one.to_h, removed: removed.include?(one) } },
          suggested: asked.empty? ? suggested : [] }
      end

      ASKED = { older_than_s: nil, keep: nil, caches_s: nil, compact: false }.freeze
      private_constant :ASKED

      def run_document(run, content)
        { run: run.key, app: run.app, created_ms: run.created_ms, requests: content.requests,
          bytes: @recordings_only ? content.recordings_bytes : content.bytes }
      end

      def suggested
        old = chosen({ older_than_s: age("", OLD) }).go
        contents = store.contents(old.map(&:id)).values
        unused = caches.unused(age("", UNUSED))
        { "--older-than #{OLD} --recordings-only" => contents.sum(&:recordings_bytes),
          "--older-than #{OLD}" => contents.sum(&:bytes),
          "--caches #{UNUSED}" => unused.sum(&:bytes) }
          .map { |options, bytes| { command: "mohs gc #{options}", bytes: } }
      end
    end
  end
end
