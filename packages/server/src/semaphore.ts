/** Lets `places` run at once; the others wait in order of arrival. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  constructor(private places: number) {}

  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.places > 0) this.places--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.places++;
    }
  }
}
