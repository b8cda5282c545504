# frozen_string_literal: true

class Topic < ActiveRecord::Base
  PER_PAGE = 30

  belongs_to :category
  belongs_to :user
  has_many :posts

  validates :title, presence: true, length: { maximum: 200 }

  # A page of the topics with the latest posts. Takes equally long however many topics there are.
  def self.latest
    includes(:category, :user).order(bumped_at: :desc, id: :desc).limit(PER_PAGE)
  end

  # Opens a topic with its first post. Raises RecordInvalid if either is invalid.
  def self.open(attributes, body)
    Forum::Database.write do
      topic = create!(**attributes, bumped_at: Time.now)
      topic.reply(attributes.fetch(:user), body)
      topic
    end
  end

  # Writes before it reads: SQLite refuses to turn a reader into a writer if another process has
  # changed its data since.
  def reply(user, body)
    Forum::Database.write do
      counted = ["posts_count = posts_count + 1, bumped_at = ?", Time.now]
      self.class.where(id: id).update_all(counted)
      posts.create!(user: user, body: body, number: reload.posts_count)
    end
  end

  def pages
    (posts_count.to_f / Post::PER_PAGE).ceil
  end
end
