RSpec.describe Pocket::Coin, type: :model do
  subject(:coin) { described_class.new(1) }
  let(:other) { described_class.new(2) }

  before { coin }

  describe "#value" do
    it "is what was given" do
      expect(coin.value).to eq(1)
    end

    it "is what was given" do
    end

    it("reads") { }
  end

  context "with a here document" do
    text = expect_offense(<<~RUBY, "a") do |found|
      foo(1)
    RUBY
      found
    end
    other = [<<~A, <<~B].join
      a
    A
      b
    B
  end
end

namespace :db do
  desc "Makes it"
  task :create, [:name] => :environment do |_task, arguments|
    arguments
  end
end
