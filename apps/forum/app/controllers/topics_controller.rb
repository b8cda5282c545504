# frozen_string_literal: true

class TopicsController < ApplicationController
  before_action :require_login, only: %i[new create]

  def latest
    @topics = Topic.latest
  end

  def show
    @topic = Topic.includes(:category).find(params[:id])
    @page = [1, [params.fetch(:page, 1).to_i, @topic.pages].min].max
    @posts = @topic.posts.includes(:user).page(@page)
  end

  def new
    @categories = Category.order(:id)
  end

  def create
    category = Category.find(params[:category_id])
    attributes = { title: params[:title], category: category, user: current_user }
    redirect_to Topic.open(attributes, params[:body])
  end
end
