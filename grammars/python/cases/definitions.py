#!/usr/bin/env python
# about f
@dec(lambda: 1)  # why
async def f(a,
  b=1) -> int:  # note
    if a: return 1
    elif b:
        pass
    else:
        x = lambda y: y
    # the end

X: int = 3
g = lambda x: x
class A:
    y = 2
    z: int
    def g(self): pass
    def g(self): pass  # second
    # of A
if X:
    Y = 1
