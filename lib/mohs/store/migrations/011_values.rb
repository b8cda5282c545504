# frozen_string_literal: true

# What a study asks for is stored as values: the gates of a comparison, and the limit of a tuning.
# Before, it was the text that was typed.
Sequel.migration do
  up do
    gate = /\A\s*(?<metric>\S+?)\s*(?<side>[<>])\s*(?<per_cent>[+-]?[\d.]+)\s*%\s*\z/
    limit = /\A\s*(?<figure>\S+?)\s*<\s*(?<number>[\d.]+)\s*(?<unit>us|µs|ms|s)\s*\z/i
    units = { "us" => 1_000, "µs" => 1_000, "ms" => 1_000_000, "s" => 1_000_000_000 }

    asked = Sequel.like(:study, '%"gates":["%') | Sequel.like(:study, '%"limit":"%')
    from(:runs).where(asked).select_map(:id).each do |id|
      study = JSON.parse(from(:runs).where(id:).get(:study))
      comparison, tuning = study.values_at("comparison", "tuning")
      comparison&.fetch("gates")&.map! do |text|
        found = gate.match(text)
        { metric: found[:metric].downcase, side: found[:side],
          bound: 1 + (found[:per_cent].to_f / 100) }
      end
      if tuning
        found = limit.match(tuning["limit"])
        unit = found[:unit].downcase
        tuning["limit"] = { figure: found[:figure].downcase, unit:,
                            ns: (found[:number].to_f * units.fetch(unit)).round }
      end
      from(:runs).where(id:).update(study: JSON.generate(study))
    end
  end
end
