fn branches(a: i32) -> i32 {
    // above a statement, not of it
    if let Some(x) = a && b {
        1
    } else if x {
        2
    } /* between */ else if y {
        3
    } else {
        4
    }; // after

    let c = if a > 3 { 1 } else { 2 };
    match a {
        // of the arm's pattern
        0 => {}
        #[cfg(unix)]
        1 | 2 if a > 1 => return 3,
        x => call(|y| y + x, move || -> i32 { 3 }), // note
    }
}

async fn loops() {
    'outer: loop {
        break 'outer;
    }
    while let Some(_) = it.next() {}
    for i in 0..3 { unsafe { f(i) } }
    let later = async move { 3 };
    let sum = (0..3).map(|i| i * 2).filter(|&i| { i > 1 }).sum();
    let f = |x| x + 1;
    select! {
        a = b => {}
    }
    fn inner() {
        struct Local { a: i32 }
    }
}
