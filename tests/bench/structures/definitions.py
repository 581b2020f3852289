"""Prints what CPython's own parser sees: for each file named on standard input a line with its
path, then a line `first last kind name` for each function and class in it, decorators included."""
import ast
import sys

for path in sys.stdin.read().splitlines():
    try:
        with open(path, "rb") as file:
            source = file.read()
        source.decode("utf-8")
        tree = ast.parse(source)
    except (SyntaxError, UnicodeDecodeError, ValueError, RecursionError, MemoryError):
        continue
    print(path)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = min([node.lineno] + [it.lineno for it in node.decorator_list])
            kind = "class" if isinstance(node, ast.ClassDef) else "function"
            print(f"\t{first} {node.end_lineno} {kind} {node.name}")
