# frozen_string_literal: true

# Load testers against a server that records the truth. `Testers.start(ENV)` returns a Bench; each
# #call of it is one load.
module Testers
end

%w[truth tool runner resident].each { |name| require_relative name }
%w[ab h2load hey native ruby siege wrk].each { |name| require_relative "tools/#{name}" }

module Testers
  TOOLS = [Native, Wrk, Ab, H2load, Siege, SiegeDefault, Hey, HomeMade]
          .to_h { |tool| [tool::NAME, tool] }.freeze

  # The settings and their defaults, all numbers. LIMIT_S: a tester that takes longer hangs.
  # DELAY_MS: how long the server waits before each response.
  SETTINGS = { "REQUESTS" => 4000, "CONNECTIONS" => 32, "THREADS" => 1, "LIMIT_S" => 20,
               "DELAY_MS" => 0 }.freeze
  MOST_CONNECTIONS = 1000

  # Takes TESTER (wrk) and SETTINGS from `env`. Raises if they can't be run here.
  def self.start(env)
    tool = tool(env.fetch("TESTER", "wrk"))
    tool.verify
    Bench.new(tool, settings(env), truth: Truth.new)
  end

  def self.tool(name)
    TOOLS.fetch(name) { raise "TESTER=#{name}: known are #{TOOLS.keys.join(', ')}" }.new
  end

  # { requests: 4000, ... }
  def self.settings(env)
    found = SETTINGS.to_h { |name, default| [name.downcase.to_sym, whole(env, name, default)] }
    connections, threads = found.values_at(:connections, :threads)
    raise "CONNECTIONS=#{connections}: at most #{MOST_CONNECTIONS}" \
      if connections > MOST_CONNECTIONS
    raise "THREADS=#{threads}: more than CONNECTIONS=#{connections}" if threads > connections

    found
  end

  def self.whole(env, name, default)
    number = Integer(env.fetch(name, default), exception: false)
    return number if number && number >= [default, 1].min

    raise "#{name}=#{env[name]}: a whole number, #{[default, 1].min} or more"
  end
  private_class_method :whole

  # One tester that runs one load again and again.
  class Bench
    def initialize(tool, settings, truth:, runner: tool.runner(truth))
      raise "THREADS=#{settings[:threads]}: #{tool.name} has one" \
        if settings[:threads] > 1 && !tool.threads?

      @tool, @truth, @runner = tool, truth, runner
      @delay_ns = settings.fetch(:delay_ms) * 1_000_000
      @load = Load.new(port: truth.port, **settings.slice(:requests, :connections, :threads,
                                                          :limit_s))
      tool.argv(@load) # raises if it can't do that
      @runner.open if @runner.respond_to?(:open)
    end

    # Returns when the tester has ended or has been stopped. Raises if it did not send as many
    # requests as asked for: a tester that sends fewer is not faster.
    def call
      @truth.start(delay_ns: @delay_ns, target: @tool.counts? ? 0 : @load.requests)
      life = @runner.call(@load)
      sent = @truth.counts.answered
      return sent if life.status == :ok && sent?(sent)

      raise "#{@tool.name} #{WORDS.fetch(life.status)}, #{sent} of #{@load.requests} requests " \
            "answered\n#{life.output}"
    end

    WORDS = { ok: "has ended", failed: "has failed", hung: "hung and was killed" }.freeze

    private

    # A tester that is stopped has sent some more requests before it stops.
    def sent?(count)
      @tool.counts? ? count == @load.requests : count >= @load.requests
    end
  end
end
