# frozen_string_literal: true

class Post < ActiveRecord::Base
end
