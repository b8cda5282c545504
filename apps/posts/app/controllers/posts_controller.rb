# frozen_string_literal: true

# What a small service does all day: finds a record by its id and writes it as JSON.
class PostsController < ActionController::API
  def show
    post = Post.find_by(id: params[:id])
    return head(:not_found) unless post

    render json: post
  end
end
