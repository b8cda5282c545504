# frozen_string_literal: true

# What a server has to say on one WebSocket (RFC 6455): messages back, pongs, and a close frame.
# Knows no socket.
class Talk
  CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10

  # Bytes of a message, and of the payload of a control frame, at most.
  LIMIT = 1 << 20
  CONTROL_LIMIT = 125

  # Status codes of a close frame (7.4.1).
  NORMAL, PROTOCOL_ERROR, INVALID_DATA, TOO_BIG = 1000, 1002, 1007, 1009

  class Fault < StandardError
    attr_reader :code

    def initialize(code)
      super("close with #{code}")
      @code = code
    end
  end
  private_constant :Fault

  # A frame as a server sends it: whole and unmasked.
  def self.frame(opcode, payload)
    size = payload.bytesize
    head = if size < 126 then [128 | opcode, size].pack("CC")
           elsif size < 65_536 then [128 | opcode, 126, size].pack("CCn")
           else [128 | opcode, 127, size].pack("CCQ>")
           end
    head << payload
  end

  def initialize
    @bytes = +"".b
    @message = nil # [opcode, payload so far] of one whose frames are not all there
    @over = false
  end

  # Whether a close frame was answered or sent: nothing follows.
  def over? = @over

  # What has to be sent in answer to the next bytes of the client; "" if nothing.
  def answer(bytes)
    out = +"".b
    @bytes << bytes
    while !over? && (frame = take_frame)
      out << reply(*frame)
    end
    out
  rescue Fault => fault
    @over = true
    out << Talk.frame(CLOSE, [fault.code].pack("n"))
  end

  private

  # [opcode, whether it ends its message, payload] of the next frame; nil while part of it is
  # missing.
  def take_frame
    first, second = @bytes.unpack("CC")
    return unless second

    check_head(first, second)
    start, size = payload_span(second & 127)
    return unless start

    raise Fault, TOO_BIG if size > LIMIT
    return if @bytes.bytesize < start + size

    payload = unmask(@bytes.byteslice(start, size), @bytes.byteslice(start - 4, 4))
    @bytes = @bytes.byteslice((start + size)..)
    [first & 15, first > 127, payload]
  end

  # No extension was agreed on, a client has to mask, and control frames are short and whole.
  def check_head(first, second)
    control = first & 8 != 0
    long = control && (second & 127 > CONTROL_LIMIT || first < 128)
    raise Fault, PROTOCOL_ERROR if first & 0x70 != 0 || second < 128 || long
  end

  # [where the payload begins, behind its mask, and its size]; nil while they are not known.
  def payload_span(size)
    extended = { 126 => [2, "@2n"], 127 => [8, "@2Q>"] }[size]
    return [6, size] unless extended

    bytes, format = extended
    [6 + bytes, @bytes.unpack1(format)] if @bytes.bytesize >= 2 + bytes
  end

  def unmask(payload, mask)
    key = mask.unpack1("N")
    words = (payload + "\0\0\0").unpack("N*").map { |word| word ^ key }
    words.pack("N*").byteslice(0, payload.bytesize)
  end

  def reply(opcode, ends, payload)
    case opcode
    when CONTINUATION, TEXT, BINARY then echo(opcode, ends, payload)
    when PING then Talk.frame(PONG, payload)
    when PONG then ""
    when CLOSE then close(payload)
    else raise Fault, PROTOCOL_ERROR
    end
  end

  def close(payload)
    raise Fault, PROTOCOL_ERROR if payload.bytesize == 1

    @over = true
    Talk.frame(CLOSE, payload.byteslice(0, 2))
  end

  def echo(opcode, ends, payload)
    raise Fault, PROTOCOL_ERROR if (opcode == CONTINUATION) == @message.nil?

    @message ||= [opcode, +"".b]
    kind, whole = @message
    raise Fault, TOO_BIG if whole.bytesize + payload.bytesize > LIMIT

    whole << payload
    return "" unless ends

    @message = nil
    raise Fault, INVALID_DATA if kind == TEXT && !whole.dup.force_encoding("UTF-8").valid_encoding?

    Talk.frame(kind, whole)
  end
end
