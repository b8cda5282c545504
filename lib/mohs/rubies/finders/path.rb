# frozen_string_literal: true

module Mohs
  module Rubies
    module Finders
      # Every folder of PATH. Shims are left to the finders of their managers: which Ruby a shim
      # starts depends on the current folder.
      class Path < Base
        # ruby, ruby3.1 (Debian), ruby-3.4.5, jruby, truffleruby.
        NAME = /\A(?:#{Engines.offered.map { |engine| engine::EXECUTABLE }.join('|')})
                -?(?:\d+(?:\.\d+)*)?\z/x

        def candidates
          folders = @env["PATH"].to_s.split(":").uniq.select { |folder| folder.start_with?("/") }
          folders.reject { |folder| File.basename(folder) == "shims" }
                 .flat_map { |folder| rubies_in(folder) }
        end

        private

        # The plain name first: on Debian, /usr/bin/ruby is the usual name for ruby3.1.
        def rubies_in(folder)
          return [] unless File.directory?(folder) && File.readable?(folder)

          Dir.children(folder).grep(NAME).sort.map { |name| File.join(folder, name) }
             .select { |path| File.file?(path) && File.executable?(path) }
        end
      end
    end
  end
end
