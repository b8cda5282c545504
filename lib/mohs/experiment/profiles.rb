# frozen_string_literal: true

module Mohs
  class Experiment
    # The profiles of a run, from the store, and their files.
    module Profiles
      module_function

      # { id of a trial => Profile }; {} if the run took none.
      #: (Store, Analysis::Run) -> Hash[Integer, Profile]
      def of(store, run)
        return {} unless run.stored.study.profile

        ids = run.stored.trials.select(&:measured?).map(&:id)
        ids.to_h { |id| [id, store.profile(id)] }.compact
           .transform_values { |data| Profile.load(data) }
      end

      # { variant => the block's result } for the last measured boot of each variant for which the
      # block returns something; the block is called with the trial's id.
      #: [T] (Analysis::Run) { (Integer) -> T? } -> Hash[String, T]
      def last(run)
        run.stored.trials.select(&:measured?).group_by(&:variant).transform_values { |boots|
          boots.reverse_each.lazy.filter_map { |trial| yield trial.id }.first
        }.compact
      end

      # Writes a file for each variant, from its last measured boot with a profile. Returns their
      # paths.
      #: (Hash[Integer, Profile], Analysis::Run, dir: String) -> Array[String]
      def write(profiles, run, dir:)
        last(run) { |id| profiles[id] }.map.with_index do |(name, profile), index|
          letter = ("a".."z").to_a.fetch(index)
          path = File.join(dir, "mohs-#{run.stored.key}-#{letter}.speedscope.json")
          AtomicFile.write(path, Profile::Speedscope.new(profile, name:).to_s)
          path
        end
      end
    end
  end
end
