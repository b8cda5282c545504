# frozen_string_literal: true

require "yaml"

module Mohs
  module Load
    class Scenario
      # Reads the YAML of a scenario (`mohs docs scenario`). Every error is a StudyError that starts
      # with the file's name and the key path; positions in lists count from 1.
      class File
        # A scenario. Raises UsageError if there is no such file.
        #: (String) -> Load::Scenario
        def self.load(path) = new(path).load

        #: (String) -> void
        def initialize(path)
          @path = path
        end

        #: () -> Load::Scenario
        def load
          @document = parse
          schema.check(@document)
          scenario
        rescue StudyError => error
          raise StudyError.new("#{::File.basename(@path)}: #{error.key_path}", error.detail)
        end

        private

        # Whatever one step of the annotated example has, any step can have.
        def schema
          example = YAML.safe_load(Study::Sections.text("scenario"))
          actions = example["actions"]
          steps = example["login"] + actions.flat_map do |action|
            action["steps"] || [action.except("name", "weight")]
          end
          example.update("login" => steps, "actions" => [*actions, *steps, { "steps" => steps }])
          Study::Schema.new(example, free: %w[headers form], named: %w[variables capture])
        end

        def parse
          Study::Schema.parse(::File.read(@path, encoding: "UTF-8"))
        rescue SystemCallError => error
          raise UsageError, "--scenario #{error.message}. For the format: mohs docs scenario"
        end

        def scenario
          folder = ::File.dirname(::File.expand_path(@path))
          @drawn = Variables.new(@document.fetch("variables", {}), folder).to_h
          @captured = []
          @steps = []
          login = (action({ "steps" => @document["login"] }, "login") if @document["login"])
          @after_login = @captured.uniq
          actions = listed("actions").map { |entry, path| named_action(entry, path) }
          fault("actions", "is missing: what do the clients do?") if actions.empty?
          Scenario.new(variables:, steps: @steps.freeze, actions:, login:)
        end

        # Variables captured by steps come after the declared ones.
        def variables
          captured = @steps.flat_map { |step| step.captures.map(&:name) }.uniq
          { **@drawn, **captured.to_h { |name| [name, Variable.new(kind: :captured)] } }
        end

        def named_action(entry, path)
          @captured = @after_login.dup
          weight = entry.fetch("weight", 1)
          fault("#{path}/weight", "should be at least 1") if weight < 1
          action(entry, path, weight:)
        end

        def action(entry, path, weight: 1)
          first = @steps.size
          requests(entry, path).each { |request, where| add(request, where) }
          Action.new(name: name_of(entry, path), weight:, steps: first...@steps.size)
        end

        def name_of(entry, path) = entry["name"]&.to_s || ("login" if path == "login")

        # An action of one step may be written as that step.
        def requests(entry, path)
          one = entry.except("weight", "name", "steps")
          return [[one, path]] unless entry["steps"]

          fault(path, "has steps, so #{one.keys.first} belongs to one of them") if one.any?
          whole = path == "login" ? path : "#{path}/steps"
          [entry["steps"]].flatten.map.with_index(1) { |step, index| [step, "#{whole}/#{index}"] }
        end

        def add(request, path)
          step = StepReader.new(request, path, headers: @document.fetch("headers", {})).step
          verify(step, path)
          @captured.concat(step.captures.map(&:name))
          @steps << step
        end

        def verify(step, path)
          unknown = step.names - @drawn.keys - @captured
          again = step.captures.map(&:name) & @drawn.keys
          missing = "{#{unknown.first}} is neither a variable nor captured before"
          fault(path, missing) if unknown.any?
          fault("#{path}/capture", "#{again.first} is a variable already") if again.any?
        end

        def listed(key)
          entries = [@document[key]].flatten.compact
          entries.map.with_index(1) { |entry, index| [entry, "#{key}/#{index}"] }
        end

        def fault(path, message) = raise(StudyError.new(path, message))
      end
    end
  end
end
