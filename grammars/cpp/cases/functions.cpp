#include "shapes.hpp"

using namespace shapes;

int shapes::Point<int, 3>::count = 0;

// Goes on.
template <typename T, int N>
int* shapes::Point<T, N>::next() const noexcept {
    auto f = [this](int x) -> int { return x; };
    for (auto& i : items_) { f(i); }
    if constexpr (N > 3) {
        return nullptr;
    } else if (auto x = f(3); x) {
        return nullptr;
    } else {
    }
    try {
        throw 3;
    } catch (const std::exception& e) {
    } catch (...) {
    }
    std::string s(x);
    std::sort(v.begin(), v.end(), [](auto a, auto b) { return a < b; });
    static const std::vector<int> t = [] { return std::vector<int>{}; }();
    switch (x) {
    case Mode::On: {
        int y(3);
        break;
    }
    default:
        break;
    }
    return nullptr;
}

Foo::Foo() try : x(1) { } catch (...) { }
Foo::~Foo() {}
Foo& Foo::operator=(Foo&&) noexcept = default;
std::ostream& operator<<(std::ostream& os, const Foo& f) { return os; }
auto add = [](int a) { return a; };
TEST(Suite, First) { EXPECT_EQ(1, 1); }
TEST(Suite, Second) { EXPECT_EQ(1, 1); }
[[noreturn]] void fail();

#ifdef WITH_MAIN
int main() { return 0; }
#else
static_assert(kMax == 3);
#endif
Foo::Foo(const Foo&) = default;
