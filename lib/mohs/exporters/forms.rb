# frozen_string_literal: true

module Mohs
  module Exporters
    # A load in each of the forms in which it is written.
    module Forms
      module_function

      # form: raw, hdr, csv or ndjson.
      #: (Symbol, Exporters::LoadResult, IO) -> void
      def write(form, load_result, out)
        case form
        when :raw then RecordingFile.write(load_result, out)
        when :hdr then HdrLog.write(load_result, out)
        else rows(form, out).add(load_result.recording)
        end
      end

      # Observations as lines; `origin` as Observations has it.
      #: (Symbol, IO, **untyped) -> Exporters::Observations
      def rows(form, out, **origin) = { csv: Csv, ndjson: Ndjson }.fetch(form).new(out, **origin)
    end
  end
end
