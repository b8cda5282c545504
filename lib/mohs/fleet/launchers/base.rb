# frozen_string_literal: true

module Mohs
  module Fleet
    module Launchers
      # The contract: `submit` hands a cohort to the first host of a queue that is free, `withdraw`
      # takes those back that nobody has begun. Both are done once, however often they are called
      # for the same cohort.
      class Base
        extend Family::Member

        FOR_TESTS = false

        # Raises EnvironmentError if its engine is not here.
        #: (Store) -> void
        def initialize(store)
          @store = store
        end

        # ids: of cohorts.
        #: (Array[Integer], queue: String) -> void
        def submit(ids, queue:) = raise NotImplementedError

        #: (Array[Integer]) -> void
        def withdraw(ids) = raise NotImplementedError
      end
    end
  end
end
