# frozen_string_literal: true

require "json"

module Mohs
  class Store
    # The part of Store that lists runs. The studies and plans of thousands of runs are megabytes,
    # so the database itself extracts what a list shows.
    module Listings
      COLUMNS = %i[id key state app created_ms finished_ms label answer].freeze

      # SQL for the names of a run's variants as JSON text, by type of database.
      NAMES = {
        sqlite: "(SELECT json_group_array(json_extract(value, '$.name')) " \
                "FROM json_each(study, '$.variants'))",
        postgres: "(SELECT json_agg(one->>'name') " \
                  "FROM json_array_elements(study::json->'variants') AS one)",
      }.freeze

      # Runs, newest first by start: `limit` runs (nil: all) after the first `offset`; only those of
      # the applications in the folders `apps`, if given; only those in `states`, if given. Runs in
      # `ids` count as being in these states whatever state is stored; runs in `except` don't.
      #: (?limit: Integer?, ?offset: Integer?, ?apps: Array[String]?, ?states: Array[String]?, ?ids: Array[Integer], ?except: Array[Integer]) -> Array[Store::Listing]
      def listed(limit: nil, offset: nil, apps: nil, **states)
        chosen = listed_rows(apps, **states).order(Sequel.desc(:created_ms), Sequel.desc(:id))
        # Selects the runs first: a database computes the names for every row that it sorts.
        chosen = listed_rows(nil).where(id: chosen.select(:id).limit(limit, offset)) if limit
        rows = chosen.order(Sequel.desc(:created_ms), Sequel.desc(:id))
                     .select(*COLUMNS, Sequel.lit(NAMES.fetch(@database.database_type)).as(:names))
        watch { rows.map { |row| listing(row) } }
      end

      # The number of runs that #listed would return without a limit.
      #: (?apps: Array[String]?, ?states: Array[String]?, ?ids: Array[Integer], ?except: Array[Integer]) -> Integer
      def count_runs(apps: nil, **states) = watch { listed_rows(apps, **states).count }

      # The folders of the applications that have runs.
      #: () -> Array[String]
      def apps = watch { run_rows.exclude(app: nil).distinct.select_order_map(:app) }

      private

      def listed_rows(apps, states: nil, ids: [], except: [])
        rows = apps ? run_rows.where(app: apps) : run_rows
        return rows unless states

        rows.where(Sequel.|({ state: states }, { id: ids })).exclude(id: except)
      end

      def listing(row)
        names = row.delete(:names)
        Listing.new(**row, variants: names ? JSON.parse(names) : [])
      end
    end
  end
end
