# frozen_string_literal: true

class User < ActiveRecord::Base
  has_many :posts

  # nil unless the password is right.
  def self.with_password(name, password)
    user = find_by(name: name) or return
    hash = Forum::Password.hash(password.to_s, user.salt)
    user if ActiveSupport::SecurityUtils.secure_compare(hash, user.password_hash)
  end
end
