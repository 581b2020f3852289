//! The tree of a workspace: each name once, below its directory.

/// The tree of these paths, which are sorted; directories end in `/`.
pub(super) fn of(paths: &[String]) -> String {
    let mut tree = String::new();
    let mut around: Vec<&str> = Vec::new();
    for path in paths {
        let mut names: Vec<&str> = path.split('/').collect();
        let file = names.pop().unwrap_or_default();
        let same = around.iter().zip(&names).take_while(|(one, other)| one == other).count();
        for (depth, directory) in names.iter().enumerate().skip(same) {
            line(&mut tree, depth, directory, "/");
        }
        line(&mut tree, names.len(), file, "");
        around = names;
    }
    tree
}

fn line(tree: &mut String, depth: usize, name: &str, end: &str) {
    tree.push_str(&"  ".repeat(depth));
    tree.extend([name, end, "\n"]);
}
