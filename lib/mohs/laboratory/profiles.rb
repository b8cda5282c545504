# frozen_string_literal: true

module Mohs
  class Laboratory
    # The profiles of a run: those that the store has, their files.
    module Profiles
      module_function

      # { id of a trial => Profile }; {} of a run that took none.
      #: (Store, Analysis::Run) -> Hash[Integer, Profile]
      def of(store, run)
        return {} unless run.stored.study.profile

        ids = run.stored.trials.select(&:measured?).map(&:id)
        ids.to_h { |id| [id, store.profile(id)] }.compact
           .transform_values { |data| Profile.load(data) }
      end

      # { variant => what the block has } of the id of its last measured boot that has something.
      #: [T] (Analysis::Run) { (Integer) -> T? } -> Hash[String, T]
      def last(run)
        run.stored.trials.select(&:measured?).group_by(&:variant).transform_values { |boots|
          boots.reverse_each.lazy.filter_map { |trial| yield trial.id }.first
        }.compact
      end

      # A file for each variant, of its last measured boot. Their paths.
      #: (Hash[Integer, Profile], Analysis::Run, dir: String) -> Array[String]
      def write(profiles, run, dir:)
        last(run) { |id| profiles[id] }.map.with_index do |(name, profile), index|
          letter = ("a".."z").to_a.fetch(index)
          path = File.join(dir, "mohs-#{run.stored.key}-#{letter}.speedscope.json")
          WholeFile.write(path, Profile::Speedscope.new(profile, name:).to_s)
          path
        end
      end
    end
  end
end
