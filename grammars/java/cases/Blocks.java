class Blocks {
    int run(Object o, List<Integer> list) {
        if (o == null) {
            return 0;
        } else if (o instanceof String s) return 1;
        else if (o instanceof Point(int x, int y) && x > 0) {
            return 2;
        }
        // about else
        else {
            one();
        }
        outer:
        for (int i = 0, j = 1; i < 3; i++) {
            for (final Integer n : list) { continue outer; }
        }
        while (a) { b(); }
        do { c(); } while (d);
        switch (o) {
            case 1:
            case 2: // both
                one();
                break;
            case 3: { two(); }
            default:
                three();
        }
        int r = switch (o) {
            case Integer i when i > 0 -> i;
            case String s -> {
                yield 1;
            }
            case null, default -> throw new Error();
        };
        switch (r) { default -> one(); }
        try (var in = open(); out) {
            risky();
        } catch (IOException | RuntimeException e) {
            log(e);
        } finally {
            close();
        }
        try { x(); } finally { }
        synchronized (this) { a++; }
        label: { break label; }
        list.stream().map(x -> x + 1).filter((Integer x) -> { return x > 1; }).forEach(this::use);
        Runnable task = () -> { run(); };
        String text = """
            verbatim {
          less
            """;
        if (a) b(); else c();
        new Thread(new Runnable() { public void run() { } }, "x").start();
        return r;
    }
}
