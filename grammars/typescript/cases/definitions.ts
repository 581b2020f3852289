/// <reference types="node" />
import { Injectable } from '@angular/core';
import fs = require('fs');

// A comment apart.

/** What a user is. */
export interface User<T = unknown> extends Base, Other {
  id: number; // the number
  readonly name?: string,
  greet(other: User): void;
  (call: string): number;
  new (id: number): User;
  [key: string]: unknown;
  get size(): number
}
interface Small { a: number; b: string }

export type Id = string | number;
type Options<T> = {
  /** How deep. */
  depth: number;
  each?(item: T): void;
  nested: { inner: string };
  [key: string]: unknown
};
type Fn = (a: number) => void;

export enum Color {
  Red,
  Green = 'green', // second
  'quoted',
}
const enum Flag { A = 1, B = A << 1 }
declare enum Far { X }

function over(a: string): string;
function over(a: number): number;
function over(a: any): any {
  return a;
}
export async function generic<T extends object, K extends keyof T>(
  value: T,
  key: K,
): Promise<T[K]> {
  const pick = async <U,>(u: U): Promise<U> => u;
  return value[key];
}

@Injectable({ providedIn: 'root', make: () => 1 })
export abstract class Service<T> extends Base<T> implements User, Other {
  private readonly cache: Map<string, T> = new Map();
  static instance?: Service<any>;
  declare id: number;
  protected abstract kind: string;
  @Input() label!: string; // shown
  handle = (event: Event): void => {
    this.cache.clear();
  };
  [key: string]: any;

  constructor(@Inject(TOKEN) private http: Http, public readonly name = 'x') {
    super();
  }

  abstract run(input: T): void;
  find(id: string): T;
  find(id: number): T;
  /** Finds one. */
  @HostListener('click', ['$event'])
  // why
  public override async find<U>(id: any): Promise<T> {
    return id satisfies T;
  }
  get value(): T { return this.x; }
  set value(next: T) { this.x = next; }
  static { Service.instance = undefined; }
  private static *walk?(): void {}
  #secret = 1
}

export const handler: Handler = async (event) => {
  return event;
};
export const { one, two }: Pair = pair;
let later: string;
export default class<T> {}
export = handler;
export as namespace Lib;
