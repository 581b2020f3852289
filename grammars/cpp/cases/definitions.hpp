#pragma once
#include <vector>

namespace shapes::detail {

/// A point.
template <typename T, int N = 3>
class [[nodiscard]] Point final : public Base<T>, private Other {
public:
    Point(int x) : x_(x), y_{2} { init(); }
    explicit Point(const Point&) = delete;
    virtual ~Point() = default;
    Point& operator=(const Point& other);
    bool operator==(const Point& o) const { return true; }
    operator bool() const { return x_; }
    explicit operator int&();

    /// How many.
    static int count; // of all
    int wide = 1, high{2}, *deep;
    int x_ = 0, z;
    std::vector<int> items_{1, 2};
    T& ref_;
    T* pointer_ = nullptr;
    int (*call_)(int);

    int* next() const noexcept override;
    const T& get() const { return ref_; }
    virtual void pure() = 0;
    template <typename U>
    void visit(U&& u) { u(); }
    auto trailing() -> int;

    friend class Buddy;
    friend bool operator<(const Point& a, const Point& b) { return true; }
    using Type = T;
    enum class Mode : char { On, Off = 2 };
    struct Nested { int a; };

private:
    mutable std::mutex m_;
};

template <>
struct hash<Foo> {
    size_t operator()(const Foo& f) const { return 0; }
};

template <typename T>
concept Small = sizeof(T) < 4;

template <typename T> requires Small<T>
T max(T a, T b) { return a > b ? a : b; }

template <typename T>
using Vec = std::vector<T>;

template <typename T>
T value = T();

class Forward;
enum Plain { A, B };
union Either { int i; };
typedef std::map<int, int> Map;

} // namespace shapes::detail

namespace {
int hidden = 3;
const char* const kName = "x";
constexpr int kMax = 3;
}

extern "C" {
void from_c(int);
}
extern "C" void to_c() {}
