# frozen_string_literal: true

require "fileutils"
require "json"

module Mohs
  module Doctor
    # Kernel settings that --fix changes and --undo restores: only settings that take effect at
    # once, harm nothing else, and are gone after a reboot. The old values are saved before anything
    # is changed, and kept until they are restored.
    class Fixes
      # One setting: `path` below the reader's root, its value before (`was`) and after (`now`);
      # `state`: "done", "failed" (worth another try) or "left" unchanged, with the reason.
      Change = Struct.new(:path, :was, :now, :state, :reason, keyword_init: true) do
        include Value
      end

      # What the state file contains for each change.
      KEPT = %i[path was now].freeze

      STEADY = Analysis::Host::Rule::STEADY
      # Above the ports that mohs assigns to servers.
      PORTS = "32768 65535"

      # The settings that --fix changes, each with the format of its values.
      FORMS = {
        %r{\Asys/devices/system/cpu/cpu\d+/cpufreq/scaling_governor\z} => /\A[a-z_]+\z/,
        /\A#{Regexp.escape(HostFacts::PORTS)}\z/ => /\A\d{1,5}\s+\d{1,5}\z/,
      }.freeze

      #: (state: String, ?reader: Doctor::Reader, ?uid: Integer) -> void
      def initialize(state:, reader: Reader.new, uid: ::Process.euid)
        @state = state
        @reader = reader
        @uid = uid
      end

      # Corrects the settings. Raises EnvironmentError if we are not root.
      #: () -> Array[Doctor::Fixes::Change]
      def fix
        wanted = [*governors, *ports]
        return [] if wanted.empty?

        demand_root("--fix")
        remember(wanted)
        wanted.map { |change| apply(change) }
      end

      # Restores what an earlier --fix changed; values that somebody has changed since are left
      # alone.
      #: () -> Array[Doctor::Fixes::Change]
      def undo
        kept = remembered
        return [] if kept.empty?

        demand_root("--undo")
        undone = kept.map { |change| restore(change) }
        store(kept.zip(undone).filter_map { |change, ended| change if ended.state == "failed" })
        undone
      end

      private

      def governors
        @reader.glob(HostFacts::GOVERNORS).filter_map do |path|
          was = @reader.text(path)
          able = @reader.text(path.sub("scaling_governor", "scaling_available_governors"))
          next if was.nil? || was == STEADY || !able.to_s.split.include?(STEADY)

          Change.new(path:, was:, now: STEADY)
        end
      end

      def ports
        found = Analysis::Host.member("ports").call(HostFacts.new(@reader).ports)
        return [] unless found.against?

        [Change.new(path: HostFacts::PORTS, was: @reader.text(HostFacts::PORTS), now: PORTS)]
      end

      def demand_root(option)
        return if @uid.zero?

        raise EnvironmentError, "settings of the kernel are root's to change: " \
                                "sudo mohs doctor #{option}"
      end

      def apply(change)
        File.write(@reader.path(change.path), change.now)
        ended(change, "done")
      rescue SystemCallError => error
        ended(change, "failed", Error.system(error))
      end

      def restore(change)
        back = Change.new(path: change.path, was: change.now, now: change.was)
        return ended(back, "left", "mohs changes no such setting") unless ours?(change)

        now = @reader.text(change.path)
        return ended(back, "left", "it is not there any more") unless now
        return apply(back) if now.split == change.now.split

        ended(back, "left", "it has been set to #{now.split.join(' ')} since")
      end

      # Root writes what the file says, so only values that --fix itself can have written are
      # accepted.
      def ours?(change)
        _, form = FORMS.find { |path, _| path.match?(change.path) }
        form && [change.was, change.now].all?(form)
      end

      def ended(change, state, reason = nil)
        Change.new(path: change.path, was: change.was, now: change.now, state:, reason:)
      end

      # Keeps the value from before the first --fix, however often it is run.
      def remember(changes)
        first = remembered.select { |change| ours?(change) }
        known = first.map(&:path)
        store(first + changes.reject { |change| known.include?(change.path) })
      end

      def remembered
        entries = JSON.parse(File.read(@state), symbolize_names: true)
        damaged unless entries.is_a?(Array) && entries.all? { |entry| entry?(entry) }
        entries.map { |entry| Change.new(**entry.slice(*KEPT)) }
      rescue Errno::ENOENT
        []
      rescue JSON::ParserError
        damaged
      end

      def entry?(entry) = entry.is_a?(Hash) && entry.values_at(*KEPT).all?(String)

      def damaged
        raise EnvironmentError, "#{@state} is damaged: what mohs doctor --fix changed is not " \
                                "known any more. Remove the file; a reboot undoes it all."
      end

      def store(changes)
        return FileUtils.rm_f(@state) if changes.empty?

        FileUtils.mkdir_p(File.dirname(@state), mode: 0o700)
        kept = changes.map { |change| change.to_h.slice(*KEPT) }
        AtomicFile.write(@state, JSON.generate(kept))
      end
    end
  end
end
