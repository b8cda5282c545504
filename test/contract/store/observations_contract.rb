# frozen_string_literal: true

require_relative "../../../benchmark/synthetic_records"

module Mohs
  module StoreContract
    # Observations, as the codec makes them.
    module Observations
      def self.define(base) = base.class_eval(&TESTS)

      TESTS = proc do
        test "observations come back whole, from several parts and in several goes" do
          store = open_store
          trial = store.start_trial(claimed(store).last, "a")
          noise = Random.new(3).bytes(32 * 300_000) # does not compress: some 9 MB
          packed = [noise, SyntheticRecords.new.take(100), ""]
          packed.each do |part|
            store.add_observations(trial, Core::Codec.encode(part), part.bytesize / 32)
          end

          assert_equal packed.join, Core::Codec.decode(store.observations(trial))
          assert_equal "", store.observations(store.start_trial(claimed(store).last, "b"))
        end

        test "observations come back part by part" do
          store = open_store
          trial = store.start_trial(claimed(store).last, "a")
          noise = Random.new(3).bytes(32 * 300_000)
          [noise, "a" * 64].each do |packed|
            store.add_observations(trial, Core::Codec.encode(packed), packed.bytesize / 32)
          end
          parts = store.to_enum(:each_observations, trial).to_a

          assert_operator parts.size, :>=, 4
          assert_equal store.observations(trial), parts.join
          assert_equal 2, Core::Codec.frames(parts.last).sum(&:last)
          assert_empty store.to_enum(:each_observations, trial + 1).to_a
        end

        test "observations that are not what they are said to be are refused" do
          store = open_store
          trial = store.start_trial(claimed(store).last, "a")
          encoded = Core::Codec.encode(SyntheticRecords.new.take(10))

          assert_raises(ArgumentError) { store.add_observations(trial, encoded, 11) }
          assert_raises(StoreError) { store.add_observations(trial, encoded[0..-2], 10) }
          assert_raises(StoreError) { store.add_observations(trial + 1, encoded, 10) } # no such row
          assert_equal "", store.observations(trial)
        end
      end
    end
  end
end
