# frozen_string_literal: true

module Mohs
  # Compares two documents of --json: everything but texts has to be the same, and keys may only be
  # added.
  module DocumentParity
    TEXTS = %i[text sentence detail reason reasons forecast].freeze

    # Floating point sums may be added up in another order.
    CLOSE = 1e-9

    module_function

    # The document with other values at these paths, which must exist: { "/rows/0/state": "x" }.
    #: (untyped, Hash[Symbol, untyped]) -> untyped
    def patch(document, changes)
      changes.each_with_object(Marshal.load(Marshal.dump(document))) do |(path, value), copy|
        *steps, last = steps(path)
        holder = steps.reduce(copy) { |part, step| part(part, step) }
        holder.fetch(last)
        holder[last] = value
      end
    end

    # The value at this path.
    #: (untyped, String) -> untyped
    def at(document, path) = steps(path).reduce(document) { |part, step| part(part, step) }

    # Where `actual` differs from what was recorded: ["rows/0/state: ..."].
    #: (untyped, untyped, ?String) -> Array[String]
    def differences(recorded, actual, path = "")
      case recorded
      when Hash then of_hashes(recorded, actual, path)
      when Array then of_arrays(recorded, actual, path)
      else of_values(recorded, actual, path)
      end
    end

    def steps(path)
      path.to_s.split("/").drop(1).map { |step| step.match?(/\A\d+\z/) ? step.to_i : step.to_sym }
    end

    # In a list of self-checks, the one with this name.
    def part(whole, step)
      whole.is_a?(Array) && step.is_a?(Symbol) ? by_name(whole).fetch(step) : whole.fetch(step)
    end

    def of_hashes(recorded, actual, path)
      return ["#{path}: #{actual.inspect} in place of an object"] unless actual.is_a?(Hash)

      recorded.flat_map do |key, value|
        at = "#{path}/#{key}"
        next ["#{at}: gone"] unless actual.key?(key)
        next of_texts(value, actual[key], at) if TEXTS.include?(key)
        next differences(*by_names(value, actual[key]), at) if key == :checks

        differences(value, actual[key], at)
      end
    end

    # Self-checks are identified by their names: an added one is an added key.
    def by_names(*lists)
      named = lists.map { |list| by_name(list) }
      named.zip(lists).all? { |hash, list| hash && hash.size == list.size } ? named : lists
    end

    def by_name(list)
      list.to_h { |check| [check.fetch(:name).to_sym, check] } if list.is_a?(Array)
    end

    # A text may be worded differently, but may not disappear, or appear where there was none.
    def of_texts(recorded, actual, path)
      return [] if blank?(recorded) == blank?(actual)

      ["#{path}: #{actual.inspect} in place of #{recorded.inspect}"]
    end

    def blank?(text) = text.nil? || text.empty?

    def of_arrays(recorded, actual, path)
      sizes = [recorded, actual].map { |list| list.is_a?(Array) ? list.size : list.class }
      return ["#{path}: #{sizes[1]} in place of #{sizes[0]}"] if sizes.uniq.size > 1

      recorded.each_with_index.flat_map do |value, index|
        differences(value, actual[index], "#{path}/#{index}")
      end
    end

    def of_values(recorded, actual, path)
      return [] if recorded == actual || close?(recorded, actual)

      ["#{path}: #{actual.inspect} in place of #{recorded.inspect}"]
    end

    def close?(recorded, actual)
      [recorded, actual].all?(Numeric) &&
        (recorded - actual).abs <= CLOSE * [recorded.abs, actual.abs].max
    end
  end
end
