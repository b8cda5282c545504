# frozen_string_literal: true

module Mohs
  class Web
    # The viewer of profiles that mohs brings along: speedscope, as it was released
    # (assets/speedscope/LICENSE.md). It fetches the profile that the address names behind its #,
    # from this server alone.
    module Speedscope
      FOLDER = File.join(__dir__, "assets", "speedscope")
      TYPES = { "index.html" => "text/html; charset=utf-8",
                "speedscope.js" => "text/javascript; charset=utf-8",
                "speedscope.css" => "text/css; charset=utf-8",
                "SourceCodePro.woff2" => "font/woff2" }.freeze

      # When it starts it writes its own style sheet and compiles an importer.
      POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; " \
               "style-src 'self' 'unsafe-inline'; " \
               "font-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; " \
               "base-uri 'none'; frame-ancestors 'none'"

      module_function

      # [content, media type] of one of its files; nil if it has none of that name.
      #: (String) -> [String, String]?
      def file(name)
        type = TYPES[name]
        type && [File.binread(File.join(FOLDER, name)), type]
      end

      # Where it shows the profile at this path.
      #: (String, title: String) -> String
      def address(path, title:)
        "/speedscope/index.html#profileURL=#{Page.segment(path)}&title=#{Page.segment(title)}"
      end
    end
  end
end
