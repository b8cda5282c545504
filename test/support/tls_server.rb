# frozen_string_literal: true

require "openssl"
require "socket"
require "tempfile"

module Mohs
  # A server on this machine that speaks nothing but TLS, with a certificate for localhost that only
  # those trust who are told to. The block is given the path and the head of each request, and
  # returns the whole response, or an Enumerator of its parts.
  class TlsServer
    # One for all servers: whoever trusts one of them trusts all.
    def self.key = @key ||= OpenSSL::PKey::RSA.new(2048)

    def self.certificate
      @certificate ||= OpenSSL::X509::Certificate.new.tap do |own|
        own.subject = own.issuer = OpenSSL::X509::Name.parse("/CN=localhost")
        own.public_key = key
        own.serial = 1
        own.version = 2
        own.not_before = Time.now - 60
        own.not_after = Time.now + 3600
        extensions = OpenSSL::X509::ExtensionFactory.new(own, own)
        own.add_extension(extensions.create_extension("subjectAltName", "DNS:localhost"))
        own.add_extension(extensions.create_extension("basicConstraints", "CA:TRUE", true))
        own.sign(key, "SHA256")
      end
    end

    # A queue of the heads of all requests.
    attr_reader :requests

    # ask: whether to serve only those who show this certificate, too.
    def initialize(ask: false, &answers)
      @answers = answers
      @requests = Queue.new
      @authority = Tempfile.create("ca")
      @authority.write(self.class.certificate.to_pem)
      @authority.close
      context = OpenSSL::SSL::SSLContext.new
      context.cert = self.class.certificate
      context.key = self.class.key
      identify(context) if ask
      @server = OpenSSL::SSL::SSLServer.new(TCPServer.new("127.0.0.1", 0), context)
      @thread = Thread.new { loop { accept } }
    end

    def port = @server.addr[1]

    def trusted = { "SSL_CERT_FILE" => @authority.path }

    # Certificate and key, as a client shows them.
    def self.identity = certificate.to_pem + key.to_pem

    def close
      @thread.kill.join
      @server.close
      File.unlink(@authority.path)
    end

    private

    def identify(context)
      context.verify_mode = OpenSSL::SSL::VERIFY_PEER | OpenSSL::SSL::VERIFY_FAIL_IF_NO_PEER_CERT
      context.cert_store = OpenSSL::X509::Store.new.tap { |all| all.add_cert(self.class.certificate) }
    end

    def accept
      socket = @server.accept
      head = +""
      head << socket.gets until head.end_with?("\r\n\r\n")
      @requests << head
      answer = @answers.call(head[/\AGET (\S+)/, 1], head)
      (answer.is_a?(String) ? [answer] : answer).each { |part| socket.write(part) }
    rescue OpenSSL::SSL::SSLError
      nil # the client does not trust it
    ensure
      socket&.close
    end
  end
end
