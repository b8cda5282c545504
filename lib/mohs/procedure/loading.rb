# frozen_string_literal: true

module Mohs
  class Procedure
    # With how much each server of a study is loaded, and what else may run meanwhile. This class
    # has what holds unless a procedure says otherwise.
    class Loading
      #: (Study) -> void
      def initialize(study)
        @study = study
      end

      # Connections of each variant that has no number of its own; nil: few enough that each has a
      # thread (Study#load_connections).
      #: () -> Integer?
      def connections = nil

      # Does each variant get as many connections as keep its threads busy? So are settings with
      # different numbers of threads compared.
      #: () -> bool
      def fills_threads? = false

      # How many these are, as far as its processes and threads are known; nil: those of the study.
      #: (processes: Integer?, threads: Integer?) -> Integer?
      def busy_connections(**) = nil

      # With how many requests each server of a cohort should be measured; nil: as many as its
      # blocks take.
      #: () -> Integer?
      def requests = nil

      # Seconds of each slice, if a cohort has one block of them, however many requests they hold;
      # nil: as many blocks and as long slices as the rates need (Cohort::Schedule).
      #: () -> Numeric?
      def slice_s = nil

      # What loads each server of a cohort after its blocks, while the others are idle; nil:
      # nothing. Its `call` has the trial, which takes what it finds (Trial#take).
      #: (Plan::CohortSpec, **untyped) -> untyped
      def last_load(_spec, **) = nil

      # May servers of a cohort warm up at once, as far as there are cores for it? Not where
      # settings keep different numbers of cores busy.
      #: () -> bool
      def waves? = true
    end
  end
end
