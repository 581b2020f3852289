#include "shapes.h"

// adds
static inline int add(int a, int b) {
    int local = 3;
    struct here { int z; };
    // above a statement, not of it
    if (a) {
        return 1;
    } else if (b) {
        return 2;
    } else {
        return 3;
    }
    if (a) b = 2; else b = 3;
    for (int i = 0; i < 3; i++) { a++; }
    for (;;)
        break;
    while (a) a--;
    do { a++; } while (a < 3);
#ifdef DEBUG
    if (debug) {
        print(a);
    }
#endif
    switch (a) {
    case 1:
        b = 2;
        break;
    case 2: case 3: {
        break;
    }
    default:
        break;
    }
out:
    return a + b;
} // end of add

char **list(void) { return 0; }

const struct point *
find(
    int x, /* where */
    int y
)
{
    return NULL;
}

int old_style(a, b) int a; char b; { return a; }

void (*pick(int which))(int) {
    return NULL;
}

int main(void)
{
#define LOCAL 3
    return LOCAL;
}
