# frozen_string_literal: true

module Mohs
  class Store
    # The part of Store for packed folders of applications, which the hosts of a fleet unpack.
    module Packs
      # How long to keep a pack that no run uses: its run may be about to begin.
      PACK_SPARED_MS = 3_600_000

      # Stores a pack once; of a pack that is already stored, only the time changes.
      #: (String, String) -> void
      def add_pack(sha256, data)
        row = { sha256:, created_ms: now_ms, data: Sequel.blob(data) }
        transaction do
          known = pack_rows.where(sha256:)
          known.update(created_ms: row[:created_ms]) == 1 || pack_rows.insert(row)
        end
      end

      # Raises StoreError if there is no such pack.
      #: (String) -> String
      def pack(sha256)
        data = watch { pack_rows.where(sha256:).get(:data) }
        data or raise StoreError, "the store has no packed application #{sha256[0, 12]}: its " \
                                  "run was deleted."
      end

      # Deletes the packs whose runs are gone.
      #: () -> void
      def forget_packs
        watch do
          before_ms = now_ms - PACK_SPARED_MS
          old = pack_rows.where { created_ms < before_ms }
          old.select_map(:sha256).each do |sha256|
            used = run_rows.where(Sequel.like(:study, "%#{sha256}%"))
            pack_rows.where(sha256:).delete if used.empty?
          end
        end
      end

      private

      def pack_rows = @database[:packs]
    end
  end
end
