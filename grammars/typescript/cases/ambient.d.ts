// Type definitions.
declare module 'express' {
  import { Server } from 'http';
  export function listen(port: number): Server;
  const version: string;
  interface Request { body: any; }
  export default listen;
}
declare module '*.css';
declare module "old" {
  export = thing;
}
declare namespace Express.Multer {
  type File = { path: string };
  let count: number;
}
declare global {
  interface Window { app: App; }
  var debug: boolean;
  function log(text: string): void;
}
declare const VERSION: string;
declare let a: number, b: string;
declare function parse(text: string): any;
declare class Point {
  constructor(x: number);
  readonly x: number;
  move(dx: number): this;
}
export declare abstract class Shape {
  abstract area(): number;
}
declare type Key = keyof Point;
export {};
