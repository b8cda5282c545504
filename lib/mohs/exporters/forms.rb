# frozen_string_literal: true

module Mohs
  module Exporters
    # A load in each of the forms in which it is written.
    module Forms
      module_function

      # form: raw, hdr, csv or ndjson.
      #: (Symbol, Exporters::Account, IO) -> void
      def write(form, account, out)
        case form
        when :raw then RecordingFile.write(account, out)
        when :hdr then HdrLog.write(account, out)
        else rows(form, out).add(account.recording)
        end
      end

      # Observations as lines; `origin` as Observations has it.
      #: (Symbol, IO, **untyped) -> Exporters::Observations
      def rows(form, out, **origin) = { csv: Csv, ndjson: Ndjson }.fetch(form).new(out, **origin)
    end
  end
end
