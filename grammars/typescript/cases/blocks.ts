namespace Geometry {
  export const PI = 3;
  let inner = 1;
  export function area(r: number): number {
    if (r < 0) {
      throw new Error();
    } else if (r === 0) {
      return 0;
    } else {
      return PI;
    }
  }
  export namespace Deep { export class A {} }
}
module Legacy { var x = 1; }

export function check(value: unknown): asserts value is string {
  loop: for (const [key, item] of Object.entries(value as any)) {
    switch (key) {
      case 'a':
      case 'b': continue loop;
      default: {
        break;
      }
    }
  }
  try {
    JSON.parse(value as string);
  } catch (error: unknown) {
    while (true) { do { } while (false); }
  } finally { }
  const made = <T,>(x: T) => x;
  const named = useMemo<number>(() => 1, []);
  list.forEach((x: number): void => { });
  describe('typed', () => { it<number>('x', async () => { }); });
  const object = {
    method<T>(this: Foo, a: T): void { },
    arrow: (a: number): number => a,
    deep: { a: 1 } as const,
    shallow: { b: 1 },
    text: `
not indented
`,
  };
  function local() { }
  return;
}
abstract class Base { protected constructor() { } }
export const config = {
  paths: { src: './src' },
} satisfies Config;
