# frozen_string_literal: true

require "fileutils"
require "rbconfig"
require "socket"

module Mohs
  # An sshd for a test on loopback, like that of another machine: with its own home, keys and port.
  # `commands` is a folder with an ssh that knows it as HOST.
  class SshServer
    HOST = "far"
    SSHD = "/usr/sbin/sshd"
    SSH = "/usr/bin/ssh"
    # An empty folder, which sshd needs if it runs as root; Debian makes it when the service
    # starts.
    EMPTY = "/run/sshd"
    START_S = 20

    # Why there can't be one here; nil if there can.
    #: () -> String?
    def self.missing
      return if [SSHD, SSH].all? { |file| File.executable?(file) }

      "sshd is not installed (Debian: openssh-server)"
    end

    #: String
    attr_reader :commands

    #: (String) -> void
    def initialize(folder)
      @folder = File.join(folder, "ssh")
      @commands = File.join(@folder, "bin")
      FileUtils.mkdir_p([@commands, home])
      %w[key host_key].each { |name| key(name) }
      @port = port
      write
      make_empty if ::Process.uid.zero?
      @log = File.join(@folder, "log")
      @pid = ::Process.spawn(SSHD, "-D", "-e", "-f", path("sshd_config"), in: File::NULL,
                                                                          out: @log, err: @log)
      await
    end

    # Starts a shell command there, in a process of this machine. Returns its pid.
    #: (String) -> Integer
    def start(command)
      ::Process.spawn(File.join(@commands, "ssh"), "-tt", HOST, command,
                      in: File::NULL, out: @log, err: @log)
    end

    # Stops it, with everything that runs in its home.
    #: () -> void
    def stop
      ::Process.kill(:TERM, @pid)
      ::Process.wait(@pid)
      Dir.rmdir(EMPTY) if @made
    end

    private

    def path(name) = File.join(@folder, name)

    def home = path("home")

    def key(name)
      system("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path(name), exception: true)
    end

    def port
      server = TCPServer.new("127.0.0.1", 0)
      server.addr[1]
    ensure
      server&.close
    end

    def make_empty
      Dir.mkdir(EMPTY, 0o755)
      @made = true
    rescue Errno::EEXIST
      nil
    end

    def write
      File.write(path("sshd_config"), <<~TEXT)
        ListenAddress 127.0.0.1:#{@port}
        HostKey #{path('host_key')}
        AuthorizedKeysFile #{path('key.pub')}
        StrictModes no
        PidFile none
        PermitRootLogin yes
        SetEnv HOME=#{home} PATH=#{File.dirname(RbConfig.ruby)}:/usr/bin:/bin
      TEXT
      File.write(path("config"), <<~TEXT)
        Host #{HOST}
          HostName 127.0.0.1
          Port #{@port}
          IdentityFile #{path('key')}
          IdentitiesOnly yes
          UserKnownHostsFile /dev/null
          StrictHostKeyChecking no
          LogLevel ERROR
      TEXT
      command = path("bin/ssh")
      File.write(command, "#!/bin/sh\nexec #{SSH} -F #{path('config')} \"$@\"\n")
      File.chmod(0o755, command)
    end

    def await
      deadline = Clock.deadline(START_S)
      until File.read(@log).include?("Server listening")
        raise "sshd did not start: #{File.read(@log)}" if Clock.mono_ns > deadline

        sleep 0.05
      end
    end
  end
end
