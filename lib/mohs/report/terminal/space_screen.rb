# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of `mohs gc` as text.
      class SpaceScreen
        # Most runs that are named.
        NAMED = 5

        # Why deleting did not make the store's file smaller.
        KEPT = {
          "busy" => "Another mohs is using the store, so its file keeps its size; new runs use " \
                    "the free space in it. To return it later: mohs gc --compact",
          "disk_full" => "The disk has no room to rewrite the store, so its file keeps its size; " \
                         "new runs use the free space in it.",
          "reused" => "PostgreSQL keeps the free space for new runs. VACUUM FULL returns it to " \
                      "the file system; run it while no mohs is running.",
        }.freeze

        #: (Hash[Symbol, untyped], style: Terminal::Style) -> void
        def initialize(document, style:)
          @document = document
          @style = style
        end

        #: () -> String
        def to_s = @document[:suggested].any? ? "#{overview}\n#{suggestions}" : outcome

        private

        def overview
          stored = @document[:store]
          runs = "#{counted(stored[:runs], 'run')} in #{stored[:location]}"
          rows = [["runs", size(stored[:bytes]), runs],
                  ["recordings", size(stored[:recordings_bytes]), recorded(stored)]]
          caches.each { |kind, all| rows << [kind, size(bytes(all)), cached(all)] }
          Columns.new(rows).to_s
        end

        def recorded(stored)
          requests, runs = stored.values_at(:requests, :recorded)
          "of these, #{counted(requests, 'request')} of #{counted(runs, 'run')}"
        end

        def caches = @document[:caches].group_by { |one| one[:kind] }

        def cached(entries)
          used_ms = entries.filter_map { |one| one[:used_ms] }.max or return folders(entries)

          "#{folders(entries)}, last used #{Numbers.day(used_ms)}"
        end

        def folders(entries) = counted(entries.size, "folder")

        def suggestions
          rows = @document[:suggested].map { |one| ["  #{one[:command]}", size(one[:bytes])] }
          "Nothing was deleted. What you can delete, and how much it frees:\n#{Columns.new(rows)}"
        end

        def outcome
          [*of_runs, *of_caches, *under_way, *freed].map { |line| "#{@style.wrap(line)}\n" }.join
        end

        def of_runs
          runs, what = @document.values_at(:runs, :deletes)
          return if what.nil?
          return "No run to delete." if runs.empty?

          named = Wording.few(runs.map { |run| run[:run] }, NAMED)
          of = "recordings of " if what == "recordings"
          "#{verb} #{of}#{counted(runs.size, 'run')}, #{size(bytes(runs))}: #{named}."
        end

        def of_caches
          return unless @document[:asked][:caches_s]

          removed = @document[:caches].select { |one| one[:removed] }
          return "No cache has been unused for that long." if removed.empty?

          removed.group_by { |one| one[:kind] }.map do |kind, all|
            "#{verb} #{folders(all)} of #{kind}, #{size(bytes(all))}."
          end
        end

        def under_way
          keys = @document[:under_way]
          "Still in progress, so kept: #{Wording.few(keys, NAMED)}." if keys.any?
        end

        def freed
          asked = @document[:asked]
          return if @document[:dry_run] || !(@document[:runs].any? || asked[:compact])

          KEPT.fetch(@document[:kept]) do
            "The store is smaller by #{size(@document[:freed_bytes])}."
          end
        end

        def verb = @document[:dry_run] ? "Would delete" : "Deleted"

        def bytes(entries) = entries.sum { |one| one[:bytes] }

        def size(bytes) = Numbers.size(bytes)

        def counted(...) = Numbers.counted(...)
      end
    end
  end
end
