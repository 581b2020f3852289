// Licensed.
package com.example.app;

import java.util.List;
import static java.util.Map.entry;

/**
 * Orders.
 */
@Entity
@Table(name = "orders", indexes = { @Index(name = "a") })
public abstract sealed class Order<T extends Item> extends Base implements Serializable, Cloneable
        permits Small, Large {
    private static final long MAX = 10L; // the most
    protected int a = 1, b, c[] = { 1, 2 };
    @Inject
    private List<T> items;
    final Function<Integer, Integer> twice = x -> x * 2;
    private final Runnable task = new Runnable() {
        @Override
        public void run() { }
    };

    static {
        System.loadLibrary("x");
    }

    { a = 2; }

    // makes one
    public Order(int a) throws IOException { this.a = a; }

    /** Runs. */
    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // why
    public final synchronized <K, V> Map<K, V> run(@NonNull final K key, V... values)
            throws IOException, InterruptedException {
        class Local { void inner() { } }
        int local = 1;
        return new HashMap<>() {{ put(key, null); }};
    } // end of run
    abstract void stop();
    native int size();
    int[] matrix()[] { return null; }

    static class Nested {
        class Inner<U> { }
    }
    ;
    enum Color implements Named {
        RED(255, 0) {
            @Override public String label() { return "r"; }
        },
        @Deprecated GREEN, // second
        BLUE(1);

        private final int code = 1;
        Color(int... codes) { }
        abstract String label();
        { code = 2; }
    }
    enum Plain { A, B, C }
    public @interface Marker {
        String value() default "none";
        int[] sizes() default { 1, 2 };
        int LIMIT = 3;
    }
}

record Point(int x, @Positive int y) implements Shape {
    static final Point ORIGIN = new Point(0, 0);
    public Point {
        if (x < 0) throw new IllegalArgumentException();
    }
    Point(int x) { this(x, 0); }
    double length() { return Math.sqrt(x * x); }
}

interface Shape extends A, B {
    double PI = 3.14;
    double area();
    default void print() { System.out.println(area()); }
    static Shape of() { return null; }
    private void hidden() { }
}

non-sealed class Small extends Order<Item> { }
