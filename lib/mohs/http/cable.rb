# frozen_string_literal: true

require "json"

module Mohs
  module Http
    # A channel of ActionCable that each WebSocket of a load joins, and the action of it that is
    # called with each message. The action has to send what it got back to the connection, as
    # `transmit(data)` does, or to all. identifier: JSON, as subscriptions are identified.
    class Cable < Struct.new(:identifier, :action, keyword_init: true)
      include Value

      # What its clients offer as the Sec-WebSocket-Protocol.
      PROTOCOL = "actioncable-v1-json"
      # Where Rails mounts it (ActionCable::INTERNAL[:default_mount_path]).
      PATH = "/cable"
      ACTION = "echo"
      # Stands for a text of ours (Core::MESSAGE_BYTES long) in what is sent.
      PLACE = "\u0001"
      # Of what is sent at a time.
      MOST_BYTES = 4096

      # From what a user typed: "ChatChannel", or a JSON object with the channel's parameters.
      # Raises UsageError.
      #: (String, ?action: String?) -> Http::Cable
      def self.parse(text, action: nil)
        identifier = text.start_with?("{") ? parameters(text) : { channel: text }
        cable = new(identifier: JSON.generate(identifier), action: action || ACTION)
        return cable if cable.texts.all? { |one| one.bytesize <= MOST_BYTES }

        raise UsageError, "--cable takes up to #{MOST_BYTES} bytes."
      end

      def self.parameters(text)
        given = JSON.parse(text)
        return given if given["channel"].is_a?(String)

        raise UsageError, "--cable #{text}: there is no \"channel\"."
      rescue JSON::ParserError
        raise UsageError, "--cable #{text}: neither a channel's name, such as ChatChannel, nor " \
                          "JSON, such as {\"channel\":\"ChatChannel\",\"room\":1}."
      end
      private_class_method :parameters

      # Headers that its clients send. host: that of the Host header, which ActionCable compares the
      # origin with.
      #: (String) -> Hash[String, String]
      def headers(host)
        { "Sec-WebSocket-Protocol" => PROTOCOL, "Origin" => "http://#{host}" }
      end

      # What is sent to join the channel, and before and behind the text of a message (struct
      # mohs_cable).
      #: () -> [String, String, String]
      def texts
        data = JSON.generate({ action:, text: PLACE })
        message = JSON.generate({ command: "message", identifier:, data: })
        # Generated twice, the place is an escape with two backslashes, and the last of them.
        before, _, after = message.rpartition("\\\\u0001")
        [JSON.generate({ command: "subscribe", identifier: }), before, after]
      end
    end
  end
end
