# frozen_string_literal: true

module Mohs
  # Parses HTTP responses by regular expressions: slow, short, and written from the rules at the
  # head of ext/mohs/core/http.h, not from the C. An oracle for the C parser: #call returns what
  # test/c/parse.c prints.
  class ReferenceParser
    LINE = /\A([^\n]*)\r\n/n
    TEXT = /\A[\t\x20-\x7e\x80-\xff]*\z/n
    HEADER = /\A([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*?)[ \t]*\z/mn

    Broken = Class.new(StandardError)
    Unfinished = Class.new(StandardError)

    #: (String, head: bool) -> void
    def initialize(bytes, head:)
      @rest = bytes.b
      @head = head
      @body = "".b
      @reusable = false
      @closed = "closed_in_header"
    end

    #: () -> String
    def call
      event = read
      result = event == "done" ? @rest.bytesize : @closed
      "#{event} #{@status.to_i} #{@reusable ? 1 : 0} #{result} #{@body.unpack1('H*')}"
    rescue Broken => e
      "#{e.message} #{@status.to_i} #{@body.unpack1('H*')}"
    end

    private

    def read
      loop do
        read_head
        break unless @status < 200 && @status != 101
      end
      frame
      "done"
    rescue Unfinished
      "more"
    end

    def read_head
      @status = nil
      text = line("bad_status_line") { |rest| "HTTP/1.".start_with?(rest[0, 7]) }
      match = text.match(%r{\AHTTP/1\.(\d) ([1-5]\d\d)( [^\0]*)?\z}mn)
      broken("bad_status_line") unless match && match[3].to_s.match?(TEXT)
      @status = match[2].to_i
      read_headers
      close = @tokens.include?("close")
      @answer_reusable = match[1] == "0" ? @tokens.include?("keep-alive") && !close : !close
      @old = match[1] == "0"
    end

    def read_headers
      @length = nil
      @codings = []
      @tokens = []
      until (text = line("bad_header")).empty?
        name, value = header(text)
        case name.downcase
        when "content-length" then take_length(value)
        when "transfer-encoding" then take_codings(value)
        when "connection" then @tokens += list(value)
        end
      end
    end

    def header(text)
      match = text.match(HEADER)
      broken("bad_header") unless match && match[2].match?(TEXT)
      [match[1], match[2]]
    end

    def take_length(value)
      broken("bad_length") unless value.match?(/\A\d{1,18}\z/) && [nil,
                                                                   value.to_i].include?(@length)
      @length = value.to_i
    end

    def take_codings(value)
      @codings = [*@codings, *list(value), ("" if value.empty? && @codings.empty?)].compact
      broken("bad_header") if @codings[0...-1].include?("chunked")
    end

    def list(value)
      value.downcase.split(",").map { |element| element.gsub(/\A[ \t]+|[ \t]+\z/, "") }
    end

    def frame
      broken("bad_length") if @codings.any? && @length
      @reusable = @answer_reusable && @status != 101
      return if @head || [101, 204, 304].include?(@status)

      @closed = "closed_in_body"
      return chunks if @codings.last == "chunked"
      return take(@length) if @length

      @closed = "ok"
      @reusable = false
      take(@rest.bytesize)
      raise Unfinished
    end

    def chunks
      @reusable &&= !@old
      loop do
        match = line("bad_chunk").match(/\A(\h{1,15})[ \t]*(;.*)?\z/mn)
        broken("bad_chunk") unless match && match[2].to_s.match?(TEXT)
        break if match[1].hex.zero?

        take(match[1].hex)
        ended = line("bad_chunk") { |rest| "\r\n".start_with?(rest[0, 2]) }
        broken("bad_chunk") unless ended.empty?
      end
      read_trailers
    end

    def read_trailers
      until (text = line("bad_header")).empty?
        header(text)
      end
    end

    def take(count)
      @body << @rest.byteslice(0, count)
      missing = count - @rest.bytesize
      @rest = @rest.byteslice(count..) || ""
      raise Unfinished if missing.positive?
    end

    # The next line; a block says whether an incomplete line may still become one.
    def line(error)
      end_of_line = @rest.index("\n")
      unless end_of_line
        broken(error) if block_given? && !yield(@rest)
        @rest = ""
        raise Unfinished
      end
      text = @rest.slice!(0..end_of_line)
      broken(error) unless text.end_with?("\r\n")
      text[0...-2]
    end

    def broken(error) = raise(Broken, error)
  end
end
