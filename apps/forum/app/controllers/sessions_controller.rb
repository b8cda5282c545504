# frozen_string_literal: true

class SessionsController < ApplicationController
  def new; end

  def create
    user = User.with_password(params[:name], params[:password])
    return render(plain: "wrong name or password", status: :unauthorized) unless user

    reset_session
    session[:user_id] = user.id
    redirect_to root_path
  end

  def destroy
    reset_session
    redirect_to root_path
  end
end
