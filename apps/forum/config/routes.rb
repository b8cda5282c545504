# frozen_string_literal: true

Rails.application.routes.draw do
  root to: "topics#latest"

  get "login", to: "sessions#new"
  post "login", to: "sessions#create"
  post "logout", to: "sessions#destroy"

  resources :categories, only: %i[index show]
  resources :users, only: :show
  resources :posts, only: :show
  resources :topics, only: %i[show new create] do
    resources :posts, only: :create
  end
end
