# frozen_string_literal: true

module Mohs
  class Store
    # A whole run as one file (docs/store.md, A run as a file): gzipped lines of JSON, one for each
    # row of the store; the last line holds the SHA-256 of all lines before it. ArchiveWriter writes
    # an archive; ArchiveReader trusts nothing in it. docs/adr/0012-archives.md gives the reasons
    # for the format.
    module Archive
      VERSION = 1

      # What a line may contain: the kind of a row and, by column, the values allowed there.
      INT64 = (-(2**63)..((2**63) - 1)).freeze
      INT32 = (0..((2**31) - 1)).freeze
      Optional = Struct.new(:form)
      MAYBE = Optional.new(INT64)
      STATES = {
        run: %w[planned finished interrupted failed], cohort: %w[queued done failed],
        trial: ["started", *Trials::ENDS],
      }.freeze
      ROWS = {
        run: { key: /\A\h{4,64}\z/, state: STATES[:run], app: Optional.new(String),
               created_ms: INT64, finished_ms: MAYBE, study: Hash, plan: Hash,
               fingerprint: Hash, provenance: Hash },
        cohort: { position: INT32, round: INT32, state: STATES[:cohort], started_ms: MAYBE,
                  finished_ms: MAYBE, spec: Hash, host: Optional.new(Hash),
                  look: Optional.new(Hash) },
        trial: { ordinal: INT32, variant: String, state: STATES[:trial],
                 reason: Optional.new(String), log_tail: Optional.new(String),
                 started_ms: INT64, boot_ns: MAYBE, requests: MAYBE,
                 facts: Optional.new(Hash) },
        slice: { block: Optional.new(INT32), position: Optional.new(INT32),
                 warm_up: [true, false],
                 **(Trials::SLICE_COUNTS.to_h { |name| [name, MAYBE] }),
                 errors: Optional.new(Hash), facts: Optional.new(Hash) },
        observations: { part: INT32, count: INT64, data: String },
        profile: { data: String },
      }.freeze
      # Columns that the store keeps as JSON, and kinds whose data are bytes.
      JSON_COLUMNS = ROWS.transform_values { |columns|
        columns.select { |_, form| [form, (form.form if form.is_a?(Optional))].include?(Hash) }.keys
      }.freeze
      BINARY = %i[observations profile].freeze

      # The kind of row that each kind belongs to.
      ABOVE = { cohort: :run, trial: :cohort, slice: :trial, observations: :trial,
                profile: :trial }.freeze

      # Maximum bytes of a line: a part of observations has 4 MiB, in base64; a study may have large
      # bodies.
      LONGEST = 32 << 20

      # A file may unpack to MOST_TIMES its size, or to FREE_BYTES if that is more: rows of slices,
      # which compress best, shrink to a tenth.
      MOST_TIMES = 100
      FREE_BYTES = 64 << 20

      # Values of JSON, counted by its separators, that each byte of a file may unpack to, plus
      # FREE_VALUES for any file. Real files have 0.3 to 1.6. Ten million empty arrays compress to
      # 30 kB and fill a gigabyte of memory.
      MOST_VALUES = 2
      FREE_VALUES = 1_000_000
      SEPARATORS = ",[{"
      # Maximum bits of an integer. A larger integer does not fit a Float, and takes minutes to
      # write.
      MOST_BITS = 1024

      # Maximum records per byte of observations, plus SPARE_RECORDS. Real records take 2 to 5 bytes
      # each; forged ones could fill the memory.
      MOST_RECORDS = 8
      SPARE_RECORDS = 65_536

      # Maximum bytes of a profile, inflated.
      MOST_PROFILE = 256 << 20
    end
  end
end
