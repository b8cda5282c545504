# frozen_string_literal: true

module Mohs
  module Tune
    # The settings that `mohs tune` races, as notations of variants: processes x threads, each
    # combined with the variants that the user named.
    class Settings
      # Label of the variant that the application's own file sets.
      YOURS = "yours"

      # One process forks none, and the application's own file says how its processes are forked.
      ALONE = { preload: nil, refork: nil }.freeze
      private_constant :ALONE

      # app: the application's folder. bases: what each setting is combined with, as typed. shapes:
      # [[processes, threads]]; nil for the settings worth a race with `cores` cores for the server.
      # allowance: what the control groups of mohs allow a setting to use, `cores` and
      # `memory_bytes` (nil: all). Raises UsageError.
      #: (app: String, bases: Array[String], shapes: Array[[Integer, Integer]]?, cores: Integer, servers: Module, ?allowance: Hash[Symbol, Numeric?]) -> void
      def initialize(app:, bases:, shapes:, cores:, servers:, allowance: {})
        @servers = servers
        @usual = servers.parse(Study::Resolver::SERVER)
        @bases = bases.map { |text| base(text) }
        @bases = [Study::Notation.new] if bases.empty?
        @app = app
        @cores = cores
        @allowance = allowance
        @asked = shapes.to_a
        @grid = Grid.new(cores:, quota_cores: allowance[:cores]) unless shapes
        @shapes = shapes || @grid.candidates.map { |cell| [cell.processes, cell.threads] }
      end

      # The settings, the present one first.
      #: () -> Array[Study::Notation]
      def notations
        @notations ||= begin
          first = of_file || combined(@bases.first, able(@bases.first, present))
          all = @bases.flat_map { |base| shapes(base).map { |shape| combined(base, shape) } }
          [first, *all.reject { |one| one.label == first.label }]
        end
      end

      # The limits that other processes on this machine can't change (Rules#cgroup), with the most
      # processes that settings race with because of them; nil if there are none.
      #: () -> Hash[Symbol, Numeric?]?
      def cgroup = ({ **@allowance, processes: most_by_quota } if @allowance.values.any?)

      # What to know of them before they are measured: { code of a text => its values }.
      #: () -> Hash[String, Hash[Symbol, untyped]]
      def remarks
        { "tune_turns" => turns, "tune_preloads" => preloading,
          "tune_cgroup" => (cgroup.slice(:cores, :processes) if most_by_quota) }.compact
      end

      # Settings that people ask about but that can't be judged here, [{ name:, code:, values: }].
      #: () -> Array[Hash[Symbol, untyped]]
      def left_out
        cells = @grid ? @grid.cells.select(&:reason) : []
        cells.map do |cell|
          { name: "#{cell.processes}x#{cell.threads}", **cell.reason.to_h.slice(:code, :values) }
        end
      end

      private

      def most_by_quota = @grid&.most_by_quota

      # Settings that were asked for although their processes have to take turns.
      def turns
        many = @asked.select { |processes, _| processes > @cores }.map { |shape| shape.join("x") }
        { names: many.join(", "), cores: @cores } if many.any?
      end

      # Settings preload the application because its own file does: they would not be comparable
      # else.
      def preloading = ({ file: own_file } if notations.any?(&:preload) && like_own?)

      # Must not give processes and threads, which are what is varied.
      def base(text)
        notation = Study::Notation.parse(text, servers: @servers)
        return notation unless notation.server.to_s.include?(":")

        raise UsageError, "--variant #{text}: mohs tune varies processes and threads. List them " \
                          "with --settings, and name the server alone in --variant."
      end

      # The present setting of an application that has no file for it.
      def present = @usual.values_at(:processes, :threads)

      def of_file
        return unless own_file

        Study::Notation.new(**@bases.first.to_h, **ALONE, label: YOURS, config: own_file)
      end

      def own_file
        return @own_file if defined?(@own_file)

        files = own_member::CONFIGURABLE ? own_member::OWN_FILES : []
        @own_file = files.find { |path| File.file?(File.join(@app, path)) }
      end

      def own_member = @servers.fetch(server(@bases.first))

      # Do settings of the present one's server preload because its file does? Not if some were
      # asked to preload: then the others are to be compared with them.
      def like_own?
        return @like_own if defined?(@like_own)

        @like_own = !own_file.nil? && @bases.none?(&:preload) &&
                    own_member.preloads?(text(own_file), version: locked_version)
      end

      def text(file) = File.read(File.join(@app, file), encoding: "BINARY")

      # The version of the present server that the application locks; nil if it locks none.
      def locked_version = App::Folder.gems(@app)[server(@bases.first)]

      def server(base) = base.server || @usual.fetch(:name)

      def shapes(base) = @shapes.map { |shape| able(base, shape) }.uniq

      # The numbers that the server has; one with fibers accepts any number of requests.
      def able(base, shape)
        can = @servers.fetch(server(base)).capabilities
        [can[:processes] ? shape.first : 1, *(shape.last if can[:threads] && !can[:fibers])]
      end

      def combined(base, shape)
        Study::Notation.new(**base.to_h, **forking(base, shape),
                            label: name(base, shape),
                            server: "#{server(base)}:#{shape.join('x')}")
      end

      def forking(base, shape)
        return ALONE if shape.first == 1

        like_own? && server(base) == server(@bases.first) ? { preload: true } : {}
      end

      # "2x5"; with several bases, the setting with its base: "3.4.5 --yjit, 2x5".
      def name(base, shape)
        return shape.join("x") if @bases.one?

        # `yours` is the present setting here.
        ruby = base.ruby == Study::Notation::YOURS ? Study::Correction::RUBY : base.ruby
        jit = base.own_jit? ? Study::Notation::OWN_JIT : base.jit
        own = base.label || Study::Notation.new(**base.to_h, server: nil, ruby:, jit:).to_s
        other = server(base) if @bases.map { |one| server(one) }.uniq.size > 1
        [own, *other, shape.join("x")].reject(&:empty?).join(", ")
      end
    end
  end
end
