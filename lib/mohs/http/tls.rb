# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Http
    # TLS as the driver has it (ext/mohs/core/tls.h): HTTP/1.1, and no certificate is verified,
    # since load over TLS goes to this machine alone.
    module Tls
      PROTOCOL = "http/1.1"
      HANDSHAKE_S = 5
      # OpenSSL's reason at the end of Ruby's message.
      REASON = /state=[^:]*: (?<reason>.+)\z/

      module_function

      # Raises EnvironmentError if this mohs was built without OpenSSL, or this Ruby was.
      #: () -> void
      def verify_built
        raise LoadError, "the driver" unless Core::TLS

        require "openssl"
      rescue LoadError
        raise EnvironmentError, "https:// needs OpenSSL, which this mohs was built without. " \
                                "Install it (Debian: libssl-dev) and build mohs again: gem " \
                                "pristine mohs; in a checkout rm lib/mohs/core.so && bin/setup"
      end

      # TLS over a connected socket, which is closed if that fails. name: the host that the server
      # is told; "": none. Raises EnvironmentError if the server has no TLS, or refuses it.
      #: (Socket, ?name: String, ?timeout_s: Numeric) -> untyped
      def over(socket, name: "", timeout_s: HANDSHAKE_S)
        verify_built
        place = socket.remote_address.inspect_sockaddr
        own = OpenSSL::SSL::SSLSocket.new(socket, context)
        own.sync_close = true
        own.hostname = name unless name.empty?
        shake(own, Clock.deadline(timeout_s))
        own
      rescue *errors, SystemCallError => error
        socket.close
        raise EnvironmentError, "#{place}: the TLS handshake failed (#{reason(error)}). If this " \
                                "server speaks plain HTTP, use http://#{place}"
      end

      # What sockets raise in addition to others.
      #: () -> Array[Class]
      def errors = defined?(OpenSSL::SSL) ? [OpenSSL::SSL::SSLError] : []

      # Raises EnvironmentError if the server at `host` and `port` would rather have TLS.
      #: (String, Integer) -> void
      def verify_plain(host, port)
        return unless spoken?(host, port)

        place = Addrinfo.tcp(host, port).inspect_sockaddr
        raise EnvironmentError, "#{place} speaks TLS: use https://#{place}"
      end

      #: (String, Integer) -> bool
      def spoken?(host, port)
        over(Socket.tcp(host, port, connect_timeout: HANDSHAKE_S)).close
        true
      rescue EnvironmentError, SystemCallError
        false
      end

      def context
        OpenSSL::SSL::SSLContext.new.tap do |context|
          context.verify_mode = OpenSSL::SSL::VERIFY_NONE
          context.alpn_protocols = [PROTOCOL]
        end
      end

      def shake(socket, deadline)
        loop do
          wanted = socket.connect_nonblock(exception: false)
          return unless wanted.is_a?(Symbol)

          left_s = [(deadline - Clock.mono_ns) / 1e9, 0].max
          ready = wanted == :wait_readable ? socket.to_io.wait_readable(left_s)
                                           : socket.to_io.wait_writable(left_s)
          raise Errno::ETIMEDOUT unless ready
        end
      end

      def reason(error)
        return error.class.new.message if error.is_a?(SystemCallError)

        REASON.match(error.message)&.[](:reason) || "the server hung up"
      end
      private_class_method :context, :shake, :reason
    end
  end
end
