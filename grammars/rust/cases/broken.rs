fn sound() -> i32 {
    1
}

fn broken( -> {
    if x {
}

struct After {
    a: i32,
}
