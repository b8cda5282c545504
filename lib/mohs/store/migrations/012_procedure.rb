# frozen_string_literal: true

require "json"

# runs: `procedure`, by which the study was measured, so that the runs of one are found without
# reading their studies. Earlier runs have it in their study, by the key of its rules.
Sequel.migration do
  up do
    add_column :runs, :procedure, String

    names = { "comparison" => "compare", "tuning" => "tune", "published" => "repro" }
    from(:runs).select_map(:id).each do |id|
      study = JSON.parse(from(:runs).where(id:).get(:study))
      name = names.find { |key, _| study[key] }&.last || "rounds"
      from(:runs).where(id:).update(procedure: name)
    end
  end

  down { drop_column :runs, :procedure }
end
