# frozen_string_literal: true

module Mohs
  class App
    class Bundle
      # Admits one installation at a time into a store of gems, by any mohs. Its file holds, while
      # it is locked, whose turn it is: a person who waits can see for what, and end it.
      class Turn
        # A holder has ended by then, since Bundler itself gets no longer: this one hangs, or is
        # stopped.
        LIMIT_S = Installer::TIMEOUT_S
        POLL_S = 0.2
        # Longer than any process id with the name of an application.
        LONGEST = 200

        # path: of the file; app: the name of the application that is installed.
        #: (String, app: String, ?limit_s: Numeric, ?clock: Module) -> void
        def initialize(path, app:, limit_s: LIMIT_S, clock: Clock)
          @path = path
          @app = app
          @limit_s = limit_s
          @clock = clock
        end

        # Runs the block when it is our turn. While it isn't, yields a line to `progress` each
        # second. Returns what the block returns, or the Reason if the same mohs had its turn too
        # long.
        #: [T] (^(String) -> void) { () -> T } -> (T | Reason)
        def take(progress)
          File.open(@path, File::RDWR | File::CREAT, 0o644) do |file|
            late = wait(file, progress) and return late

            name(file)
            yield
          ensure
            # Before the lock goes, so that nobody reads a name that no longer counts.
            file.truncate(0) unless late
          end
        end

        private

        # nil once it is our turn.
        def wait(file, progress)
          holder = since_ns = told_s = nil
          until file.flock(File::LOCK_EX | File::LOCK_NB)
            now_ns, others = @clock.mono_ns, read
            # Another one's turn has its own limit.
            holder, since_ns, told_s = others, now_ns, nil if since_ns.nil? || others != holder
            waited_s = (now_ns - since_ns) / 1_000_000_000
            return late(holder) if waited_s >= @limit_s

            progress.call(line(holder, waited_s)) if waited_s != told_s
            told_s = waited_s
            sleep(POLL_S)
          end
        end

        def line(holder, waited_s) = "waiting #{waited_s} s for #{who(holder)}"

        def who(holder)
          pid, app = holder.to_s.split(" ", 2)
          app ? "another mohs (process #{pid}), which is installing the gems of #{app}" \
              : "another mohs, which is installing gems"
        end

        def late(holder)
          minutes = @limit_s / 60
          pid = holder.to_s[/\A\d+/]
          Reason.new(code: "installer_hangs", values: { process: pid&.to_i, minutes: },
                     summary: "#{who(holder)}, has had its turn for #{minutes} min",
                     remedy: pid && "if it does nothing any more, end it: kill #{pid}")
        end

        def name(file)
          file.truncate(0)
          file.rewind
          file.write("#{::Process.pid} #{@app}")
          file.flush
        end

        # What the holder wrote; "" if it is just about to, or the file has gone.
        def read
          Printable.call(File.binread(@path, LONGEST).to_s)
        rescue SystemCallError
          ""
        end
      end
    end
  end
end
