# frozen_string_literal: true

module Mohs
  class Store
    # A row as a frozen struct: what is common to Store::Run, Cohort, Trial and Slice. `Members`
    # builds one from a row's Hash; a key that no member has is left where it is, in the database.
    module Record
      include Value

      # The same, with some members replaced.
      #: (**untyped) -> Store::Record
      def with(**changes) = self.class.new(**to_h, **changes)

      # What the class of a record is extended with.
      module Members
        # row: with the keys below :facts as keys of its own. others: instead of the row's.
        #: (Hash[Symbol, untyped], **untyped) -> Store::Record
        def of(row, **others)
          known = { **row[:facts].to_h, **row }.slice(*members).compact
          new(**self::EMPTY, **known, **others)
        end
      end
    end
  end
end
