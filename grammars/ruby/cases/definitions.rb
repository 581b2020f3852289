#!/usr/bin/env ruby
# frozen_string_literal: true

require "json"

# All of it.
module Pocket
  VERSION = "1.0" # for now
  QUERY = <<~SQL.strip
    select *
      from pocket
  SQL

  # A coin.
  class Coin < Struct.new(:value)
    include Comparable

    attr_reader :value, :owner
    attr_accessor(:weight)
    DEFAULT = 1
    @count = 0
    @@all = []

    class << self
      # Makes one.
      def make(value:, owner: nil)
        new(value)
      end
    end

    def self.zero = new(0)

    def <=>(other)
      value <=> other.value
    end

    def value=(given)
      @value = given
    end

    def [](index); end

    private def secret?
      local = lambda { |x| x }
      square = ->(x) { x * x }
      items.map(&:to_s).select { |item| item }.each do |item|
        puts item
      end
    end

    private

    def hidden
    end
    # the end of Coin
  end

  class Error < StandardError; end

  def self.run(*args, **options, &block)
    if args.empty?
      1
    elsif args.one? then 2
    else
      3
    end
    unless options[:x]
      4
    end
    case args
    # first
    when Integer, Float then 5
    when String
      6
    else
      7
    end
    case options
    in {name: String => name} if name
      8
    in [] then 9
    end
    while true do break end
    until false
      10
    end
    for x in 1..3 do
      p x
    end
    begin
      11
    rescue ArgumentError, TypeError => e
      12
    rescue
      13
    else
      14
    ensure
      15
    end
    return if args.nil?
  rescue Error
    16
  end
end

alias_method :a, :b
top = 1
