# frozen_string_literal: true

require "rbconfig"

module Mohs
  # `mohs agent` in a process of this machine, started as ssh starts it on another.
  module LocalAgent
    # The command that starts it; within: the words to start it in a network namespace. seen: the
    # address by which it sees this machine.
    #: (?seen: String, ?within: Array[String], ?root: String) -> Array[String]
    def self.command(seen: "127.0.0.1", within: [], root: MohsCommand::ROOT)
      setup = File.join(MohsCommand::ROOT, "vendor/bundle/bundler/setup.rb")
      [*within, "env", "SSH_CONNECTION=#{seen} 50000 192.0.2.1 22", RbConfig.ruby, "-I",
       File.join(root, "lib"), "-r", setup, File.join(MohsCommand::ROOT, "exe/mohs"), "agent"]
    end

    # Yields a link to an agent.
    #: [T] (?listen: String?, **untyped) { (Agent::Link) -> T } -> T
    def self.open(listen: nil, **how)
      link = Agent::Link.new("far", command(**how))
      link.meet(listen)
      yield link
    ensure
      link&.close
    end
  end
end
