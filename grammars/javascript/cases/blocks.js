function f(list) {
  if (list.a) {
    one();
  } else if (list.b) two();
  else if (list.c) { three(); }
  // about else
  else {
    four();
  }
  outer: for (let i = 0; i < 3; i++) {
    for (const x of list) continue outer;
    for (const key in list) { }
  }
  while (a) { b(); }
  do { c(); } while (d);
  switch (list.kind) {
    case 'a':
    case 'b': // both
      one();
      break;
    case 'c': {
      two();
    }
    default:
      three();
  }
  try {
    risky();
  } catch (error) {
    log(error);
  } finally {
    close();
  }
  try { x(); } catch { y(); }
  label: { break label; }
  if (a) b; else c;
  with (list) { a(); }
}
if (top) { const inBlock = 1; var g = function () {}; }
for (const z of []) g(z);
