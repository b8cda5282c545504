# frozen_string_literal: true

require "websocket/driver"

module Mohs
  # ActionCable's side of one channel that sends what it is told to all that have joined, by another
  # implementation of WebSocket: a handler for Served#open_raw.
  class CableChannel
    # late_s: seconds by which the others hear a message later than who said it.
    #: (?late_s: Numeric) -> void
    def initialize(late_s: 0)
      @late_s = late_s
      @joined = []
      @turn = Mutex.new
      @origins = Queue.new
    end

    # What clients gave as their Origin.
    #: () -> Array[String]
    def origins = Array.new(@origins.size) { @origins.pop }

    #: (TCPSocket) -> void
    def call(socket)
      driver = WebSocket::Driver.server(socket, protocols: [Http::Cable::PROTOCOL])
      driver.on(:connect) { connect(driver) }
      driver.on(:open) { say(driver, { type: "welcome" }) }
      driver.on(:message) { |message| take(driver, message.data) }
      driver.on(:close) { leave(driver, socket) }
      loop { driver.parse(socket.readpartial(4096)) }
    rescue SystemCallError, IOError
      leave(driver, socket)
    end

    private

    def connect(driver)
      @origins << driver.env["HTTP_ORIGIN"]
      driver.start
    end

    def take(driver, data)
      said = JSON.parse(data, symbolize_names: true)
      identifier = said[:identifier]
      @turn.synchronize do
        next join(driver, identifier) if said[:command] == "subscribe"

        spread(driver, { identifier:, message: JSON.parse(said[:data]) })
      end
    end

    def spread(driver, message)
      say(driver, message)
      sleep @late_s
      @joined.each { |one| say(one, message) unless one == driver }
    end

    def join(driver, identifier)
      @joined << driver
      say(driver, { identifier:, type: "confirm_subscription" })
    end

    def leave(driver, socket)
      @turn.synchronize { @joined.delete(driver) }
      socket.close
    end

    def say(driver, message) = driver.text(JSON.generate(message))
  end
end
