// How often the server may end by itself before it is left alone.

/** That many ends within so many milliseconds are one too many. */
export const MOST = 5;
const WITHIN = 3 * 60_000;

export class Ends {
    private times: number[] = [];

    /** Notes that the server has ended. Gives whether it is to be started again. */
    note(now: number): boolean {
        this.times = [...this.times.filter(time => now - time < WITHIN), now];
        return this.times.length < MOST;
    }
}
