#!/usr/bin/env node
'use strict';
// about fs
const fs = require('fs');
const { a, b } = require('x'), c = 3;
let first, second = [1, 2];
var old;

/**
 * Adds.
 */
export async function add(a, b = 1) { // why
  const sum = a + b;
  const helper = (x) => x * 2;
  const data = { deep: true };
  return helper(sum);
} // end of add

export default class Point extends Base {
  static #count = 0;
  x = 1; // the x
  y
  'quoted name' = 2;
  [Symbol.iterator] = null
  handle = async (event) => {
    return event;
  };

  // sets all up
  constructor(x) { super(); this.x = x; }
  get size() { return 1; }
  set size(value) { this.y = value; }
  static async *walk() { yield 1; }
  #secret() {}
  static {
    Point.#count = 1;
  }
}

export const limit = 10;
export const twice = (x) => x * 2, thrice = function (x) { return x * 3; };
export let state = fallback || (() => 1);
export const Memo = memo(function Inner(props) {
  return props;
});
const Shape = class { area() { return 0; } };
function* numbers() { yield* [1, 2]; }
const curried = (a) => (b) => a + b;

export { a as one };
export * from './other.js';
