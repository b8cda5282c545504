# frozen_string_literal: true

# Runs inside the measured server, before its application: a loop of $BURN rounds for each request.
# A GET of /mohs-burn/N changes the rounds, so that one process can be measured with and without
# the loop.
class MohsBurn
  SWITCH = "/mohs-burn/"

  def initialize(app)
    @app = app
    @rounds = Integer(ENV.fetch("BURN", "0"))
  end

  def call(env)
    path = env["PATH_INFO"]
    return switch(path.delete_prefix(SWITCH)) if path.start_with?(SWITCH)

    left = @rounds
    left -= 1 while left.positive?
    @app.call(env)
  end

  private

  def switch(rounds)
    @rounds = Integer(rounds)
    [200, { "content-type" => "text/plain" }, [rounds]]
  end
end
