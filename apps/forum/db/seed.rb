# frozen_string_literal: true

require "openssl"

module Forum
  # Creates the tables and fills them: the same rows wherever it runs.
  class Seed
    USERS = 100
    TOPICS = 400
    MOST_POSTS = 30
    CATEGORIES = %w[General Help Announcements Ideas Bugs Showcase Meetings Off-topic].freeze
    # Syllables of made-up words, to which no language's rules apply.
    SYLLABLES = %w[ba de ki lo mu na po ra si tu ve wi xo ya ze].freeze
    START = Time.utc(2019, 1, 1)
    NUMBER = 2019 # seed of the random numbers
    SLICE = 200 # rows in a statement

    def initialize(connection)
      @connection = connection
      @random = Random.new(NUMBER)
    end

    # With WAL, readers do not wait for the writer.
    def call
      @connection.execute("PRAGMA journal_mode = WAL")
      @connection.transaction do
        tables
        fill
      end
    end

    private

    def tables
      @connection.create_table(:users) do |table|
        table.string :name, :salt, :password_hash, null: false
        table.index :name, unique: true
      end
      @connection.create_table(:categories) { |table| table.string :name, null: false }
      topics
      posts
    end

    def topics
      @connection.create_table(:topics) do |table|
        table.integer :category_id, :user_id, null: false
        table.string :title, null: false
        table.integer :posts_count, null: false, default: 0
        table.datetime :created_at, :bumped_at, null: false
        table.index :bumped_at
        table.index %i[category_id bumped_at]
      end
    end

    def posts
      @connection.create_table(:posts) do |table|
        table.integer :topic_id, :user_id, :number, null: false
        table.text :body, null: false
        table.datetime :created_at, null: false
        table.index %i[topic_id number], unique: true
        table.index :user_id
      end
    end

    def fill
      insert(:categories, CATEGORIES.map.with_index(1) { |name, id| { id: id, name: name } })
      insert(:users, (1..USERS).map { |id| user(id) })
      topics = (1..TOPICS).map { |id| topic(id) }
      insert(:topics, topics)
      insert(:posts, topics.flat_map { |topic| posts_of(topic) })
    end

    # user1 has the password "password1".
    def user(id)
      salt = format("%08x", id)
      { id: id, name: "user#{id}", salt: salt, password_hash: Password.hash("password#{id}", salt) }
    end

    def topic(id)
      created_at = START + (id * 3600)
      posts_count = 1 + @random.rand(MOST_POSTS)
      { id: id, category_id: 1 + @random.rand(CATEGORIES.size), user_id: 1 + @random.rand(USERS),
        title: sentence(3 + @random.rand(5)), posts_count: posts_count, created_at: created_at,
        bumped_at: created_at + (posts_count * 60) }
    end

    def posts_of(topic)
      (1..topic[:posts_count]).map do |number|
        { topic_id: topic[:id], number: number, body: text,
          user_id: number == 1 ? topic[:user_id] : 1 + @random.rand(USERS),
          created_at: topic[:created_at] + (number * 60) }
      end
    end

    def text
      paragraphs = Array.new(1 + @random.rand(3)) do
        Array.new(2 + @random.rand(4)) { "#{sentence(4 + @random.rand(12))}." }.join(" ")
      end
      paragraphs.join("\n\n")
    end

    def sentence(count)
      Array.new(count) { word }.join(" ").capitalize
    end

    def word
      Array.new(1 + @random.rand(3)) { SYLLABLES[@random.rand(SYLLABLES.size)] }.join
    end

    def insert(table, rows)
      columns = rows.first.keys
      rows.each_slice(SLICE) do |slice|
        values = slice.map { |row| "(#{row.values.map { |value| quoted(value) }.join(', ')})" }
        @connection.execute("INSERT INTO #{table} (#{columns.join(', ')}) VALUES " \
                            "#{values.join(', ')}")
      end
    end

    # Times as ActiveRecord writes them.
    def quoted(value)
      @connection.quote(value.is_a?(Time) ? value.strftime("%F %T.000000") : value)
    end
  end

  # How passwords are stored. Only logins compute this, and they are not measured.
  module Password
    def self.hash(password, salt)
      digest = OpenSSL::Digest.new("SHA256")
      OpenSSL::PKCS5.pbkdf2_hmac(password, salt, 1000, 32, digest).unpack("H*").first
    end
  end
end
