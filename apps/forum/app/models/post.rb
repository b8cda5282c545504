# frozen_string_literal: true

class Post < ActiveRecord::Base
  PER_PAGE = 20

  belongs_to :topic
  belongs_to :user

  validates :body, presence: true, length: { maximum: 10_000 }

  def self.page(number)
    order(:number).where(number: 1 + ((number - 1) * PER_PAGE)..number * PER_PAGE)
  end

  def page
    1 + ((number - 1) / PER_PAGE)
  end
end
