export interface Theme { color: string; }
export enum Size { Small, Large = 'large' }
export namespace Icons { export const Arrow = () => <svg />; }
declare module '*.svg' { const url: string; export default url; }
export abstract class Store<T> {
  @observable private value?: T;
  abstract load(): Promise<T>;
}
function over(a: string): void;
function over(a: unknown): void {}
export const wrap = <T extends object>(Inner: FC<T>) => (props: T) => <Inner {...props} />;
try { render(<App />, root); } catch { }
it('renders', async () => {
  render(<App />);
});
