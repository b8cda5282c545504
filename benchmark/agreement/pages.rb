# frozen_string_literal: true

# Pages whose cost is known: /cpu/15 computes for 15 ms, by the clock of its thread; /wait/10/5
# waits for 10 ms and computes for 5.
module Pages
  FOUND = { "content-type" => "text/plain", "content-length" => "2" }.freeze

  def self.call(env)
    kind, *times = env["PATH_INFO"].delete_prefix("/").split("/")
    sleep(times.shift.to_f / 1000) if kind == "wait"
    compute(times.first.to_f / 1000)
    [200, FOUND.dup, ["ok"]]
  end

  def self.compute(seconds)
    clock = -> { Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID) }
    until_s = clock.call + seconds
    nil while clock.call < until_s
  end
end
