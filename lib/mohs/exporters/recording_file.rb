# frozen_string_literal: true

require "json"
require "zlib"

module Mohs
  module Exporters
    # A load as a file: everything recorded, and what is needed to compute every figure again.
    #
    #     mohs recording 1 LENGTH CRC    version of the format, bytes and CRC-32 of the next line
    #     {"mohs":"0.1.0", ...}          one line of JSON: FACTS below, and the number of records
    #     ...                            frames of records, as in the store (core/codec.h)
    #
    # `never_sent` contains such frames in base64, for requests that were never sent.
    #
    # Facts that can be counted in the records are not in the header, except `records`, which
    # reveals a file that was cut between two frames.
    module RecordingFile
      VERSION = 1
      FIRST = /\Amohs recording (?<version>\d+) (?<bytes>\d+) (?<crc>\h{8})\n\z/
      LONGEST_FIRST = 64 # bytes: another kind of file may have no lines
      PIECE = 1 << 20 # bytes read at a time: the LENGTH of a forged file is not allocated
      # Facts of a Load::StepResult that no record contains: clocks and sockets.
      FACTS = %i[started_ns wall_ns loaded_ns span_ns in_use_ns driver_cpu_ns unsent late
                 waiting_max gone outage actions finished pulse].freeze
      # Facts of a result that are written unchanged.
      OF_RESULT = %i[argv invocation server host epoch_real_ns asked traffic scenario empty_per_s
                     specimen diagnosis tls].freeze
      OF_CONNECTIONS = %i[asked opened lost].freeze

      # What a header must have to be shown: the classes of its fields; [form] for a list of one or
      # more; Several for one that may be empty; Optional for a field that may be null.
      Optional = Struct.new(:form)
      Several = Struct.new(:form)
      PULSE_FORM = %i[windows busy full wakeups events age_sum_ns age_max_ns preempted]
                   .to_h { |name| [name, Integer] }.freeze
      STEP_FORM = { started_ns: Integer, wall_ns: Integer, driver_cpu_ns: Integer,
                    connections: OF_CONNECTIONS.to_h { |name| [name, Integer] },
                    pulse: Optional.new(PULSE_FORM) }.freeze
      OPTION_FORM = { name: String, value: Optional.new(String),
                      secret: Optional.new({ file: String, line: String }) }.freeze
      INVOCATION_FORM = { command: String, arguments: Several.new(String),
                          options: Several.new(OPTION_FORM) }.freeze
      FORM = { mohs: String, server: String, epoch_real_ns: Integer, records: Integer,
               asked: { connections: Integer, threads: Integer, arrivals: Array },
               answers: [{ request: { method: String, path: String, headers: Hash },
                           kind: String }],
               steps: [STEP_FORM], login: Optional.new(STEP_FORM),
               invocation: Optional.new(INVOCATION_FORM),
               scenario: Optional.new({ steps: Array }),
               tls: Optional.new({ done: Integer, failed: Integer }) }.freeze
      OPEN_FORM = { asked: { arrivals: [{ kind: String, burst: Numeric }] },
                    steps: [{ unsent: Integer, late: Integer }] }.freeze
      RATE_FORM = { asked: { arrivals: [{ rate_per_s: Numeric }] } }.freeze

      module_function

      #: (Load::Result, _Sink) -> void
      def write(result, io)
        line = JSON.generate(header(result))
        io.write(format("mohs recording %d %d %08x\n", VERSION, line.bytesize, Zlib.crc32(line)))
        io.write(line, "\n")
        result.recording.each_frame { |frame| io.write(frame) }
      end

      # Raises UsageError if it is another kind of file, StoreError if the file is damaged or
      # written by a newer mohs.
      #: (String) -> Load::Result
      def read(path)
        File.open(path, "rb") do |io|
          header = read_header(io, path)
          result(header, read_records(io, header, path))
        end
      rescue SystemCallError => error
        raise UsageError.unreadable(path, error)
      end

      def header(result)
        steps = result.stages.empty? ? [result.step] : result.stages.map(&:first)
        { **result.versions, **result.to_h.slice(*OF_RESULT),
          answers: result.answers.map { |answer| answer_facts(answer) },
          login: result.login && step_facts(result.login),
          steps: steps.map { |step| step_facts(step) }, records: result.recording.size,
          **never_sent(result.recording) }
      end

      def never_sent(recording)
        unsent = recording.unsent or return {}
        { never_sent: [unsent.encode].pack("m0") }
      end

      def step_facts(step)
        { **step.to_h.slice(*FACTS), open_loop: !step.offered.nil?,
          connections: step.connections.slice(*OF_CONNECTIONS) }
      end

      # Without bodies, which may be large and aren't needed, and without secrets.
      def answer_facts(answer)
        request = answer.request.to_h.slice(:method, :path, :headers, :weight)
        headers = request[:headers].to_h do |name, value|
          [name, Secrets.replace_in(answer.request.kind(name), name, value) { Secrets::MASK }]
        end
        { request: { **request, headers:, path: Secrets.mask_path(request[:path]) },
          **answer.to_h.slice(:status, :type, :length, :kind, :note) }
      end

      def read_header(io, path)
        first = FIRST.match(io.gets("\n", LONGEST_FIRST).to_s) or
          raise UsageError, "#{path} was not written by mohs load --raw."
        version, bytes = first.values_at(:version, :bytes).map(&:to_i)
        raise StoreError, "#{path} was written by a newer mohs: this one (#{Mohs::VERSION}) " \
                          "knows the format up to #{VERSION}, not #{version}." if version > VERSION

        line = read_bytes(io, bytes + 1)
        damaged(path, "its header was cut short") if line.bytesize <= bytes
        line.chop!
        damaged(path, "its header was changed") unless Zlib.crc32(line) == first[:crc].hex

        header = JSON.parse(line.force_encoding(Encoding::UTF_8), symbolize_names: true)
        check(header, path)
        header
      rescue JSON::ParserError
        damaged(path, "its header is no JSON")
      end

      def read_bytes(io, count)
        bytes = +"".b
        while bytes.bytesize < count && (piece = io.read([count - bytes.bytesize, PIECE].min))
          bytes << piece
        end
        bytes
      end

      # A scenario has no answers.
      def check(header, path)
        damaged(path, "its header is no JSON object") unless header.is_a?(Hash)
        form = header[:answers] == [] ? FORM.except(:answers) : FORM
        wrong = wrong_field(header, form) || (wrong_arrivals(header) if open_loop?(header))
        damaged(path, "its header has no valid field #{wrong}") if wrong
      end

      def open_loop?(header) = header[:steps].first[:open_loop]

      # A list of times has no rate.
      def wrong_arrivals(header)
        wrong_field(header, OPEN_FORM) ||
          (wrong_field(header, RATE_FORM) if header[:asked][:arrivals].first[:kind] != "times")
      end

      # The name of the first field that is missing or of another class, such as "steps.0.wall_ns";
      # nil if all are right.
      def wrong_field(value, form, name = nil)
        case form
        when Class then return (name unless value.is_a?(form))
        when Optional then return value && wrong_field(value, form.form, name)
        when Several then return value == [] ? nil : wrong_field(value, [form.form], name)
        when Array
          return name unless value.is_a?(Array)

          form = Array.new([value.size, 1].max) { |index| [index, form.first] }
        when Hash then return name unless value.is_a?(Hash)
        end
        form.each do |key, inner|
          wrong = wrong_field(value[key], inner, [name, key].compact.join("."))
          return wrong if wrong
        end
        nil
      end

      def read_records(io, header, path)
        recording = decoded(io, header, path)
        missing = header[:records] - recording.size
        damaged(path, "#{missing} of #{header[:records]} requests are missing") unless missing.zero?

        recording
      end

      def decoded(io, header, path)
        never_sent = header[:never_sent].to_s.unpack1("m0")
        Load::Recording.decode(io.read, unsent: never_sent)
      rescue StoreError => error
        raise StoreError, "#{path}: #{error.message}"
      end

      def damaged(path, what)
        raise StoreError, "#{path}: #{what}. Restore it from a copy, or measure again."
      end

      def result(header, recording)
        answers = header[:answers].map do |facts|
          headers = facts[:request][:headers].transform_keys(&:to_s)
          request = App::Request.new(**facts[:request].compact, headers:)
          App::Answer.new(**facts, request:, kind: facts[:kind].to_sym)
        end
        Load::Result.new(**header.slice(*OF_RESULT), answers:, recording:,
                         **steps(header, recording), versions: header.slice(:mohs, :ruby))
      end

      # The results of the logins and the steps, each counted in its part of the recording.
      def steps(header, recording)
        facts = [header[:login], *header[:steps]].compact
        parts = Load::Total.parts(recording, facts.map { |one| one[:started_ns] })
        loads = facts.zip(parts).map { |one, part| [step(one, part), part] }
        login, = loads.shift if header[:login]
        { login:, step: Load::Total.of(loads.map(&:first), recording),
          stages: loads.one? ? [] : loads }
      end

      def step(facts, recording)
        open_loop, connections = facts[:open_loop] || false, facts[:connections]
        tally = Load::Tally.new(recording, connections: connections[:asked], open_loop:)
        offered = { offered: (facts[:actions] || recording.size) + facts[:unsent] } if open_loop
        connections = { **connections, **tally.connections }
        Load::StepResult.from_h(step: 0, target: 0, **facts.slice(*FACTS), **tally.to_h,
                                **offered.to_h, connections:)
      end

      private_class_method :decoded, :header, :never_sent, :step_facts, :answer_facts, :read_header,
                           :read_bytes, :check, :open_loop?, :wrong_arrivals, :wrong_field,
                           :read_records, :damaged, :result, :steps, :step
    end
  end
end
