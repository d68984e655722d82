/**
 * Works on items, so many at a time; the next item is asked for only when there is a hand free for it. After a failure nothing new is
 * begun, what is under way is awaited, and the first failure is thrown.
 */
export async function inParallel<T>(
  items: Iterator<T> | AsyncIterator<T>,
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const hand = async () => {
    while (failures.length === 0) {
      try {
        const next = await items.next();
        if (next.done === true) return;
        await work(next.value);
      } catch (thrown) {
        failures.push(thrown);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, hand));
  if (failures.length > 0) throw failures[0];
}
