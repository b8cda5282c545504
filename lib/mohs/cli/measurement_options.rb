# frozen_string_literal: true

module Mohs
  class CLI
    # The options that say what is measured, read into a declaration (see Study::Builder). --body,
    # --header, --expect and --weight belong to the request named before them; before the first
    # request they belong to all.
    class MeasurementOptions
      #: (CLI::Context, Module) -> void
      def initialize(context, servers = Mohs::Servers)
        @context = context
        @servers = servers
        @values = {}
        @env = {}
        @variants = []
        @requests = RequestOptions.new(context)
      end

      #: (OptionParser) -> void
      def define(parser)
        where(parser)
        @requests.define(parser)
        what(parser)
        how(parser)
      end

      # Only what was given. Raises UsageError.
      #: () -> Hash[Symbol, untyped]
      def declaration
        values = @values.merge(requests: @requests.to_a)
        values[:env] = @env if @env.any?
        values[:variants] = notations if @variants.any?
        values.compact
      end

      private

      # Without a place in a file.
      def notations
        @variants.map { |text| [nil, Study::Notation.parse(text, servers: @servers)] }
      end

      def where(parser)
        parser.on("--app DIR", "the application's folder (default: this one)") do |dir|
          @values[:app] = File.expand_path(dir, @context.dir)
        end
        parser.on("--env K=V", "environment of every server; repeatable") { |pair| assign(pair) }
        parser.on("--own-config", "let the application's own server configuration count") do
          @values[:own_config] = true
        end
      end

      def assign(pair)
        key, value = pair.split("=", 2)
        raise UsageError, "--env #{pair.inspect}: write it as NAME=value" unless value

        @env[key] = value
      end

      def what(parser)
        parser.on("--variant V", "what to measure: \"3.4.5 --yjit\", puma:2x5, NAME=value,",
                  "or several joined by \", \"; repeatable") { |text| @variants << text }
        parser.on("--baseline V", "the variant that others are compared with") do |text|
          @values[:baseline] = text
        end
      end

      def how(parser)
        { connections: 1, rounds: 1, seed: 0 }.each do |key, least|
          parser.on("--#{key} N", HELP.fetch(key)) do |text|
            @values[key] = whole_number(key, text, least)
          end
        end
        parser.on("--budget TIME", "how long it may take: 90s, 2m, 1h") do |text|
          @values[:budget_s] = Study::Duration.parse(text)
        end
      end

      HELP = {
        connections: "connections kept busy (default: 4, or fewer)",
        rounds: "how often everything is booted anew (default: 3 or more)",
        seed: "of the order; the same seed gives the same order",
      }.freeze
      private_constant :HELP

      def whole_number(key, text, least)
        number = Integer(text, 10, exception: false)
        return number if number && number >= least

        raise UsageError, "--#{key} #{text}: a whole number of #{least} or more is needed"
      end
    end
  end
end
