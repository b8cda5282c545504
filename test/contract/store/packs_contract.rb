# frozen_string_literal: true

module Mohs
  module StoreContract
    # Applications' folders as files.
    module Packs
      def self.define(base) = base.class_eval(&TESTS)

      TESTS = proc do
        test "a packed application comes back byte for byte, however often it was added" do
          store = open_store
          data = (0..255).map(&:chr).join.b * 1000
          2.times { store.add_pack("ab12", data) }

          assert_equal data, store.pack("ab12").b
          error = assert_raises(StoreError) { store.pack("cd34") }
          assert_match(/cd34: .*deleted/, error.message)
        end

        test "it stays as long as a run has it, and for an hour without one" do
          clock = StoreHelper::FakeClock.new(1_000_000)
          store = open_store(clock:)
          %w[ab12 cd34 ef56].each { |sha256| store.add_pack(sha256, "x") }
          kept, gone = %w[ab12 cd34].map do |sha256|
            create_run(store, pack: { sha256: })
          end
          store.delete_runs([gone.id])
          assert_equal "x", store.pack("ef56"), "its run may be about to begin"
          clock.real_ms += Store::Packs::PACK_SPARED_MS + 1
          store.delete_runs([create_run(store).id])

          assert_equal "x", store.pack(store.run(kept.id).study.pack[:sha256])
          %w[cd34 ef56].each { |sha256| assert_raises(StoreError) { store.pack(sha256) } }
        end
      end
    end
  end
end
