# frozen_string_literal: true

module Mohs
  class Web
    # The profile viewer that is part of mohs: speedscope, as released
    # (assets/speedscope/LICENSE.md). It fetches the profile that follows the # of its address, from
    # this server alone.
    module Speedscope
      FOLDER = File.join(__dir__, "assets", "speedscope")
      TYPES = { "index.html" => "text/html; charset=utf-8",
                "speedscope.js" => "text/javascript; charset=utf-8",
                "speedscope.css" => "text/css; charset=utf-8",
                "SourceCodePro.woff2" => "font/woff2" }.freeze

      # At its start, the viewer writes its own style sheet and compiles an importer.
      POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; " \
               "style-src 'self' 'unsafe-inline'; " \
               "font-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; " \
               "base-uri 'none'; frame-ancestors 'none'"

      module_function

      # [content, media type] of one of the viewer's files; nil if there is none of that name.
      #: (String) -> [String, String]?
      def file(name)
        type = TYPES[name]
        type && [File.binread(File.join(FOLDER, name)), type]
      end

      # The address at which the viewer shows the profile at this path.
      #: (String, title: String) -> String
      def address(path, title:)
        "/speedscope/index.html#profileURL=#{Page.segment(path)}&title=#{Page.segment(title)}"
      end
    end
  end
end
