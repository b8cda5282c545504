# frozen_string_literal: true

class CategoriesController < ApplicationController
  def index
    @categories = Category.order(:id)
  end

  def show
    @category = Category.find(params[:id])
    @topics = @category.topics.latest
  end
end
