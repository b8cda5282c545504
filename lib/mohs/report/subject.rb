# frozen_string_literal: true

module Mohs
  module Report
    # What was measured, in one line, so that a result names it wherever it is kept: "redmine · GET
    # /projects · 4 connections".
    module Subject
      # Most requests that are named; for more only their number is given.
      FEW = 2

      module_function

      # The requests of a study as they may be printed, each once: ["GET /projects"]; the file's
      # name for a scenario, a description of a request for jobs.
      #: (Study) -> Array[String]
      def requested(study)
        return [study.scenario.name] if study.scenario
        return ["batches of #{Numbers.counted(study.jobs.count, 'job')}"] if study.jobs

        requests = study.variants.flat_map { |variant| study.requests_of(variant) }.map(&:to_s).uniq
        streams = study.streams
        streams ? requests.map { |request| "#{streams.title} of #{request}" } : requests
      end

      # The line for a document with `app`, `requested` and `connections`; "" if it has none of
      # them.
      #: (Hash[Symbol, untyped]) -> String
      def of(document)
        app, requested, connections = document.values_at(:app, :requested, :connections)
        [app, *requests(requested.to_a),
         *(connections && Numbers.counted(connections, "connection"))].compact.join(" · ")
      end

      # "GET /, GET /projects and 3 more"; nil if there are no requests.
      #: (Array[String]) -> String?
      def requests(requested)
        Wording.few(requested, FEW) if requested.any?
      end
    end
  end
end
