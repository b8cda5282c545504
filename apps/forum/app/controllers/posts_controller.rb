# frozen_string_literal: true

class PostsController < ApplicationController
  before_action :require_login, only: :create

  # One post, at an address that stays the same when other posts are added.
  def show
    @post = Post.includes(:user, :topic).find(params[:id])
  end

  def create
    topic = Topic.find(params[:topic_id])
    redirect_to topic.reply(current_user, params[:body])
  end
end
