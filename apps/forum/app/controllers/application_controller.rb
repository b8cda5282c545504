# frozen_string_literal: true

class ApplicationController < ActionController::Base
  protect_from_forgery with: :exception

  helper_method :current_user

  rescue_from(ActiveRecord::RecordNotFound) { head :not_found }
  rescue_from ActiveRecord::RecordInvalid do |error|
    render plain: error.message, status: :unprocessable_entity
  end

  private

  def current_user
    return @current_user if defined?(@current_user)

    @current_user = User.find_by(id: session[:user_id]) if session[:user_id]
  end

  def require_login
    redirect_to login_path unless current_user
  end
end
