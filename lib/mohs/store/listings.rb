# frozen_string_literal: true

require "json"

module Mohs
  class Store
    # Runs as a list has them: that part of a store. Of thousands of runs, their studies and plans
    # are megabytes, so that the database itself takes from them what a list shows.
    module Listings
      COLUMNS = %i[id key state app created_ms finished_ms label answer].freeze

      # JSON text of the names of a run's variants, by the type of the database.
      NAMES = {
        sqlite: "(SELECT json_group_array(json_extract(value, '$.name')) " \
                "FROM json_each(study, '$.variants'))",
        postgres: "(SELECT json_agg(one->>'name') " \
                  "FROM json_array_elements(study::json->'variants') AS one)",
      }.freeze

      # The newest first, by when they were started: so many of them, behind the first `offset`, or
      # all; of these applications (their folders), or of all; in these states, or in any. Runs of
      # these `ids` are in such a state whatever they are stored as, those of `except` are not.
      #: (?limit: Integer?, ?offset: Integer?, ?apps: Array[String]?, ?states: Array[String]?, ?ids: Array[Integer], ?except: Array[Integer]) -> Array[Store::Listing]
      def listed(limit: nil, offset: nil, apps: nil, **states)
        chosen = listed_rows(apps, **states).order(Sequel.desc(:created_ms), Sequel.desc(:id))
        # Chosen first: a database computes the names of all that it sorts.
        chosen = listed_rows(nil).where(id: chosen.select(:id).limit(limit, offset)) if limit
        rows = chosen.order(Sequel.desc(:created_ms), Sequel.desc(:id))
                     .select(*COLUMNS, Sequel.lit(NAMES.fetch(@database.database_type)).as(:names))
        watch { rows.map { |row| listing(row) } }
      end

      # How many there are.
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
