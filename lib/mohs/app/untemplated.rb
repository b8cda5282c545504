# frozen_string_literal: true

module Mohs
  class App
    # A file that an application reads as it boots, which nobody has made from the template beside
    # it: "config/site.yml" from "config/site.yml.tmpl" or "config/site.example.yml".
    module Untemplated
      MISSING = %r{No such file or directory(?: @ \w{1,40})? - (?<path>[^\s'")]{1,500})}

      # What a template's name has more than the file's, before or behind its extension
      # (Database::TEMPLATE, too).
      MARK = /[._-](?:example|sample|template|tmpl|tpl|dist|default)/

      # Templates of what an application reads as it boots: not "deploy.example.rb", and not
      # "settings.default.yml", which is read itself.
      READ = /\.ya?ml\b/
      ITSELF = /[._-]default\b/

      module_function

      # The reason; if it quotes that such a file is missing, its remedy is the command to make it.
      #: (Reason?, dir: String) -> Reason?
      def complete(reason, dir:)
        return reason if reason.nil? || reason.remedy

        path = reason.values.values_at(:last, :why).join(" ")[MISSING, :path] or return reason
        path = File.expand_path(path, dir)
        name = template(path) if path.start_with?("#{dir}/") && !File.exist?(path)
        return reason unless name

        file, template = [path, File.join(File.dirname(path), name)].map do |one|
          one.delete_prefix("#{dir}/")
        end
        Reason.new(**reason.to_h, remedy: "Make #{file} from its template: cp #{template} #{file}")
      end

      # The templates of YAML files in the folder that nobody has made a file from, except those of
      # the file with the name `but`, which may have several.
      #: (String, but: String) -> Array[String]
      def all(folder, but:)
        names = File.directory?(folder) ? Dir.children(folder) : []
        of = names.grep(READ).grep_v(ITSELF).grep(/#{MARK}(?=\.|\z)/o)
                  .to_h { |name| [name, name.sub(MARK, "")] }
        of.reject { |_, file| file == but || file.empty? || names.include?(file) }.keys.sort
      end

      def template(path)
        folder, name, extension = File.dirname(path), File.basename(path, ".*"), File.extname(path)
        return unless File.directory?(folder)

        names = /\A#{Regexp.escape(name)}(?:#{MARK}#{Regexp.escape(extension)}|
                 #{Regexp.escape(extension)}#{MARK})\z/x
        Dir.children(folder).grep(names).min
      end

      private_class_method :template
    end
  end
end
