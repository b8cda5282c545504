# frozen_string_literal: true

require "json"
require "zlib"

module Mohs
  # What one server did under load, from samples of its stacks, over all its processes. `frames`
  # [Profile::Frame]; `stacks` { [kind, indexes of frames, outermost first] => microseconds }, where
  # kind is "cpu" for a running thread and "wait" for a waiting one. Microseconds are as the
  # profiler counts them: shares are right, sums are not (Analysis::ProfileDifference scales them).
  # `sampler_us`: CPU time of our own sampling thread.
  class Profile < Struct.new(:profiler, :sampler_us, :frames, :stacks, keyword_init: true)
    include Value

    KINDS = %w[cpu wait].freeze

    # A place in the code: `name` of the method as the profiler writes it, `path` and `line`, 0 if
    # there is none (a method written in C or Java).
    Frame = Struct.new(:name, :path, :line)

    # Microseconds that one sample stands for, by profiler: CPU_INTERVAL_US and SAMPLE_S of
    # inside/profile.rb, which other Rubies run.
    STEPS_US = { "stackprof" => 1000, "backtraces" => 5000 }.freeze

    # Separates the fields of the lines that inside/profile.rb writes.
    SEPARATOR = "\t"

    class << self
      # The combined profile from what each process wrote (inside/profile.rb); nil if there is no
      # sample.
      #: (Array[String]) -> Profile?
      def parse(texts)
        reader = Reader.new
        texts.each { |text| reader << text }
        reader.profile
      end

      # Reads the stored form: deflated JSON.
      #: (String) -> Profile
      def load(bytes)
        data = JSON.parse(Zlib::Inflate.inflate(bytes))
        new(profiler: data.fetch("profiler"), sampler_us: data.fetch("sampler_us"),
            frames: data.fetch("frames").map { |frame| Frame.new(*frame) },
            stacks: data.fetch("stacks").to_h { |kind, weight, *at| [[kind, at], weight] })
      end
    end

    #: () -> String
    def dump
      rows = stacks.map { |(kind, at), weight| [kind, weight, *at] }
      Zlib::Deflate.deflate(JSON.generate({ profiler:, sampler_us:, frames: frames.map(&:to_a),
                                            stacks: rows }))
    end

    # Total of all samples of this kind, in microseconds as the profiler counts them.
    #: (String) -> Numeric
    def total(kind) = stacks.sum { |(of, _), weight| of == kind ? weight : 0 }

    # The number of samples that `weight` microseconds stand for.
    #: (Numeric) -> Float
    def samples(weight) = weight.fdiv(STEPS_US.fetch(profiler))

    # Yields, for each stack, its kind, [Profile::Frame] outermost first, and its microseconds.
    #: () { (String, Array[Profile::Frame], Numeric) -> void } -> void
    def each_stack
      stacks.each { |(kind, at), weight| yield kind, frames.values_at(*at), weight }
    end

    # Reads the files of several processes, each of which numbers its own frames.
    class Reader
      def initialize
        @positions = {}
        @stacks = Hash.new(0)
        @sampler_us = 0
      end

      #: (String) -> void
      def <<(text)
        own = {}
        text.each_line(chomp: true) do |line|
          what, *fields = line.split(SEPARATOR, -1)
          case what
          when "profiler" then @profiler = fields.first
          when "sampler" then @sampler_us += fields.first.to_i
          when "frame" then own[fields.first] = position(*fields.drop(1))
          when "stack" then add(*fields, own)
          end
        end
      end

      #: () -> Profile?
      def profile
        return if @stacks.empty?

        Profile.new(profiler: @profiler, sampler_us: @sampler_us, frames: @positions.keys,
                    stacks: @stacks.to_h)
      end

      private

      def position(name, path, line)
        @positions[Frame.new(name, path, line.to_i)] ||= @positions.size
      end

      def add(kind, weight, ids, own)
        @stacks[[kind, ids.split.map { |id| own.fetch(id) }]] += weight.to_i
      end
    end
    private_constant :Reader
  end
end
