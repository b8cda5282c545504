# frozen_string_literal: true

require "etc"

module Mohs
  module Fronts
    # nginx as installed on the system, with a generated configuration: nothing of /etc/nginx is
    # read. One worker process for each core of the trial, as with `worker_processes auto` if
    # nothing else limits the cores. Connections are kept open on both sides; otherwise nginx would
    # open a connection to the server for each request.
    class Nginx < Base
      # Debian's path, and those of nginx's own packages; /usr/sbin need not be on PATH.
      PROGRAMS = %w[/usr/sbin/nginx /usr/bin/nginx /usr/local/sbin/nginx
                    /usr/local/nginx/sbin/nginx].freeze
      STOP_SIGNAL = "QUIT" # TERM drops requests in progress
      WORKER = /\Anginx: worker process/
      VERSION_S = 5
      # More requests than any load sends on a connection; the default is 1000.
      REQUESTS = 1_000_000_000
      # Connections of a worker in addition to those of the load and as many to the server: for
      # checks, and those that nginx opens for itself.
      SPARE = 64

      #: (String) -> String?
      def self.version(program)
        command = Process::Command.new(argv: [program, "-v"])
        Process::Capture.call(command, timeout_s: VERSION_S).stderr[%r{nginx/(\S+)}, 1]
      end

      # -e: otherwise it would log to /var/log/nginx until it has read the configuration.
      #: () -> Launch
      def launch
        Launch.new(executable: self.class.program || self.class::PROGRAMS.first,
                   args: ["-p", "#{settings.folder}/", "-c", config_path, "-e", "stderr"],
                   files: { config_path => config })
      end

      private

      def config_path = File.join(settings.folder, "nginx.conf")

      def config
        <<~NGINX
          daemon off;
          #{user}worker_processes #{settings.cores};
          pid nginx.pid;
          error_log stderr error;
          events { worker_connections #{(2 * settings.connections) + SPARE}; }
          http {
            access_log off;
            client_body_temp_path client_body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            client_max_body_size 0;
            keepalive_timeout #{IDLE_S};
            keepalive_requests #{REQUESTS};
            upstream server {
              server #{upstream};
              keepalive #{settings.connections};
              keepalive_timeout #{IDLE_S};
              keepalive_requests #{REQUESTS};
            }
            server {
              listen #{address};
              location / {
                proxy_pass http://server;
                proxy_http_version 1.1;
                proxy_set_header Connection "";
                proxy_set_header Host $http_host;
                proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
              }
            }
          }
        NGINX
      end

      # If started by root, its workers would switch to another user, who can't access the server's
      # socket.
      def user
        return unless ::Process.euid.zero?

        "user #{Etc.getpwuid(0).name} #{Etc.getgrgid(0).name};\n"
      end

      def upstream = settings.upstream.unix ? "unix:#{super}" : super
    end
  end
end
