# frozen_string_literal: true

require "tmpdir"

module Chat
  # Where Solid Cable keeps its messages, and how its table is made: in the folder for temporary
  # files, which mohs gives each server and removes afterwards, and which the server's processes
  # share. CHAT_DATABASE names another file.
  module Database
    module_function

    def path
      ENV.fetch("CHAT_DATABASE") { File.join(Dir.tmpdir, "chat-#{Process.uid}.sqlite3") }
    end

    # As solid_cable's own db/cable_schema.rb. Processes may boot at the same moment.
    def prepare
      connection = SolidCable::Record.connection
      connection.execute("PRAGMA journal_mode = WAL")
      connection.create_table(:solid_cable_messages, if_not_exists: true) do |table|
        table.binary :channel, limit: 1024, null: false
        table.binary :payload, limit: 536_870_912, null: false
        table.datetime :created_at, null: false
        table.integer :channel_hash, limit: 8, null: false
        table.index :channel
        table.index :channel_hash
        table.index :created_at
      end
    end
  end
end
