# frozen_string_literal: true

module Mohs
  # Random well-formed HTTP responses of every framing: #call returns [bytes, fate], where the fate
  # is what a FakeServer does next, :keep or :close. The same Random gives the same responses.
  class RandomAnswers
    STATUSES = [200, 200, 200, 201, 206, 226, 299, 301, 400, 404, 418, 500, 503, 204, 304].freeze
    BODILESS = [204, 304].freeze
    NAMES = %w[X-Runtime etag SET-COOKIE Vary x.y_z !#$%].freeze
    VALUES = ["", "a", "W/\"0\"", "a=b; path=/", "Caf\xe9", "chunked, close", "5", "x" * 400].freeze

    #: (Random) -> void
    def initialize(random)
      @random = random
    end

    #: () -> [String, Symbol]
    def call
      status = pick(STATUSES)
      version = pick(%w[1.1 1.1 1.1 1.0])
      framing = BODILESS.include?(status) ? :none : pick(framings(version))
      connection = pick([nil, nil, nil, "keep-alive", "Keep-Alive", "close", "x, Close"])
      head = "HTTP/#{version} #{status}#{pick([' OK', ' ', '', " Ol\xe9 ol\xe9"])}\r\n".b
      head << headers(connection, framing_header(framing, body = random_body)).join << "\r\n"
      ends = framing == :close || ends?(version, connection)
      ["#{interim}#{head}#{framed(framing, body)}".b, ends ? :close : :keep]
    end

    private

    def pick(list) = list.sample(random: @random)
    def framings(version) = version == "1.1" ? %i[length chunked close] : %i[length close]

    def ends?(version, output)
      version == "1.0" ? !output&.match?(/keep/i) : output&.match?(/close/i)
    end

    def random_body
      @random.bytes(@random.rand(40).zero? ? 70_000 : @random.rand(300))
    end

    def interim
      pick(["", "", "", "HTTP/1.1 100 Continue\r\n\r\n",
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 2])
    end

    def headers(connection, framing)
      lines = Array.new(@random.rand(4)) { [pick(NAMES), pick([":", ": ", ":\t "]), pick(VALUES)] }
      lines.map!(&:join)
      lines << "#{pick(%w[Connection connection])}: #{connection}" if connection
      lines << framing if framing
      lines.shuffle(random: @random).map { |line| "#{line}#{pick(['', ' '])}\r\n".b }
    end

    def framing_header(framing, body)
      case framing
      when :length then pick(["Content-Length: ", "content-length:"]) + body.bytesize.to_s
      when :chunked then pick(["Transfer-Encoding: chunked", "TRANSFER-ENCODING: Chunked"])
      end
    end

    def framed(framing, body)
      case framing
      when :none then ""
      when :chunked then chunks(body)
      else body
      end
    end

    def chunks(body)
      text = "".b
      until body.empty?
        piece = body.slice!(0, @random.rand(1..([body.bytesize, 20_000].min)))
        size = piece.bytesize.to_s(16)
        text << pick([size, size.upcase, "0#{size}"]) << pick(["", ";a", ';a="b"'])
        text << "\r\n" << piece << "\r\n"
      end
      text << "0\r\n" << pick(["", "Expires: 0\r\n", "A: b\r\nC:\r\n"]) << "\r\n"
    end
  end
end
