# frozen_string_literal: true

# A room: {"channel":"ChatChannel","room":"tea"}, or that of all who name none.
class ChatChannel < ApplicationCable::Channel
  def subscribed
    stream_from stream
  end

  def say(data)
    ActionCable.server.broadcast(stream, { text: data["text"] })
  end

  def echo(data)
    transmit({ text: data["text"] })
  end

  private

  def stream = Chat.stream(params[:room] || "chat")
end
