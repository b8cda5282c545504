# frozen_string_literal: true

module Mohs
  class CLI
    # The options that name requests: --get PATH and its like, each followed by what belongs to it.
    class RequestOptions
      #: (CLI::Context) -> void
      def initialize(context)
        @context = context
        @all = { headers: {} }
        @requests = []
      end

      #: (OptionParser) -> void
      def define(parser)
        Study::File::METHODS.each do |method|
          help = "a request to measure; repeatable" if method == "get"
          parser.on("--#{method} PATH", *help) do |path|
            @requests << { method:, path:, headers: {} }
          end
        end
        parser.on("-H", "--header \"NAME: VALUE\"",
                  "of the request before it; before the first, of all") do |text|
          name, value = App::Request.parse_header(text)
          current[:headers][name] = value
        end
        details(parser)
      end

      # Where none was named, one for `path`; nil without it if none is described either, so that
      # the application's own are taken.
      #: (?path: String?) -> Array[App::Request]?
      def to_a(path: nil)
        return if path.nil? && @requests.empty? && @all == { headers: {} }

        named(path).map do |request|
          headers = @all[:headers].merge(request[:headers])
          App::Request.build(**@all, **request, headers:)
        end
      end

      private

      # A body without a request is posted, as curl does.
      def named(path)
        return @requests if @requests.any?

        [{ method: @all.key?(:body) ? "post" : "get", path: path || "/", headers: {} }]
      end

      def current = @requests.last || @all

      def details(parser)
        parser.on("--body FILE", "file with the body") { |path| current[:body] = body(path) }
        parser.on("--expect TEXT", "what a right answer contains") do |text|
          current[:expect] = text
        end
        parser.on("--weight N", "how often, relative to the others") do |text|
          # What is no number is left to Request.build, which says so.
          current[:weight] = Integer(text, 10, exception: false) || text
        end
      end

      def body(path)
        File.binread(File.expand_path(path, @context.dir))
      rescue SystemCallError => error
        raise UsageError, "--body #{path}: #{error.message}"
      end
    end
  end
end
