# frozen_string_literal: true

module Mohs
  class CLI
    # The options that name requests: --get PATH and the like, each followed by its own options, and
    # --from-log FILE.
    class RequestOptions
      # tell: called with lines of progress.
      #: (CLI::Context, tell: ^(Array[String]) -> void) -> void
      def initialize(context, tell:)
        @context = context
        @all = { headers: {} }
        @requests = []
        @traffic = TrafficOptions.new(context, tell:)
      end

      # without: methods that get no option.
      #: (OptionParser, ?without: Array[String]) -> void
      def define(parser, without: [])
        (Study::File::METHODS - without).each do |method|
          help = "as --get, with #{method.upcase}"
          help = "a request to measure; repeatable" if method == "get"
          parser.on("--#{method} PATH", help) do |path|
            raise UsageError, "--#{method} needs a path, such as /products, not #{path}" if
              path.start_with?("-")

            @requests << { method:, path:, headers: {} }
          end
        end
        headers(parser)
        details(parser)
        @traffic.define(parser)
      end

      # The requests that were named, then those from logs. If there are none, a request for `path`;
      # without a path nil, if no option describes a request either, so that the application's own
      # requests are used. usual: the path of one that only options describe.
      #: (?path: String?, ?usual: String) -> Array[App::Request]?
      def to_a(path: nil, usual: "/")
        mine = named(path || usual)
        mix = @traffic.mix
        return if path.nil? && mix.nil? && @requests.empty? && @all == { headers: {} }

        mine.map do |request|
          headers = replaced(@all[:headers], request[:headers])
          confidential = [@all, request].flat_map { |one| one.fetch(:confidential, []) }.uniq
          App::Request.build(**@all, **request, headers:, confidential:)
        end + logged(mix)
      end

      # The mix taken from logs; nil if no log is named.
      #: () -> App::Traffic::Mix?
      def mix = @traffic.mix

      private

      # Headers for all requests replace the browser's own.
      def logged(mix)
        return [] unless mix

        headers = @all[:headers]
        mix.requests.map do |request|
          App::Request.new(**request.to_h, headers: replaced(request.headers, headers),
                                           expect: @all[:expect],
                                           confidential: @all.fetch(:confidential, []))
        end
      end

      # Names of headers are the same in upper and lower case.
      def replaced(headers, by)
        headers.reject { |name, _| by.any? { |key, _| key.casecmp?(name) } }.merge(by)
      end

      def take(headers) = current[:headers] = replaced(current[:headers], headers)

      # A body without a request is posted, as curl does.
      def named(path)
        return @requests if @requests.any?
        return check_stray && [] if @traffic.any?

        [{ method: @all.key?(:body) ? "post" : "get", path:, headers: {} }]
      end

      # A log has its own weights and requests.
      def check_stray
        stray = (@all.keys & %i[body weight]).first or return true
        raise UsageError, "--#{stray} belongs to a request: name one before it (--post /path)"
      end

      def current = @requests.last || @all

      def headers(parser)
        parser.on("-H", "--header \"NAME: VALUE\"",
                  "applies to the preceding request; if given first, to all",
                  secrets: HeaderFile) do |text|
          take([App::Request.parse_header(text)].to_h)
        end
        parser.on("--header-file FILE",
                  "headers, one \"NAME: VALUE\" a line, for secrets; as --header") do |path|
          given = HeaderFile.load(path, dir: @context.dir)
          take(given)
          current[:confidential] = [*current[:confidential]] | HeaderFile.confidential(given)
        end
      end

      def details(parser)
        parser.on("--body FILE", "file with the body") { |path| current[:body] = body(path) }
        parser.on("--expect TEXT", "text that a correct response contains") do |text|
          current[:expect] = text
        end
        parser.on("--weight N", "how often, relative to the others") do |text|
          # Request.build rejects anything but a number.
          current[:weight] = Integer(text, 10, exception: false) || text
        end
      end

      def reason(error)
        error.is_a?(Errno::ENOENT) ? "file not found" : Error.system(error)
      end

      def body(path)
        File.binread(File.expand_path(path, @context.dir))
      rescue SystemCallError => error
        raise UsageError, "--body #{path}: #{reason(error)}"
      end
    end
  end
end
