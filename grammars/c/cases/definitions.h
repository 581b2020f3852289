/* License. */
#ifndef SHAPES_H
#define SHAPES_H

#pragma once
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The larger one. */
#define MAX(a, b) ((a) > (b) \
    ? (a) : (b))
#define LIMIT 10 /* ten */
#define EMPTY

typedef unsigned int uint;
typedef int (*callback)(void *, int);

/* A point has a name for itself and one for its type. */
typedef struct point_s {
    int x, y; /* both */
    char *names[4];
    const char **list;
    int (*call)(int);
    unsigned flag : 1;
    struct { int a; } inner;
    union { int i; float f; };
    struct node { int b; } *next;
} point_t;

struct forward;

// a plain one
struct plain {
    int x;
}; // after

enum color { RED, GREEN = 2, /* last */ BLUE };
typedef enum { ON, OFF } mode_t;
union either { int i; float f; };

extern int count;
static const char *const names[] = { "a", "b" };
static struct entry { int a; } table[] = { {1}, {2} };
static struct { int b; } unnamed;
int (*handler)(int) = NULL;
int first, second = 2;

int *make(int n);
char **make_many(void);
void (*signal(int sig, void (*func)(int)))(int);
__attribute__((noreturn)) void die(void);
int printf_like(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#if defined(LINUX) && LEVEL > 2
int only_linux(void);
#elif defined(MAC)
int only_mac(void);
int only_mac_too(void);
#else
int only_other(void);
#endif /* LINUX */

#ifdef __cplusplus
}
#endif

#endif /* SHAPES_H */
