/** The worker thread's side of the decode pool. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { type DecodeTask, decode } from './decode.js';

export default async function run(task: DecodeTask): Promise<unknown> {
  const decoded = await decode(task);
  // Records go over as they are, not as copies.
  return move({
    [transferableSymbol]: decoded.uploads.map(({ bytes }) => bytes.buffer as ArrayBuffer),
    [valueSymbol]: decoded,
  } as never);
}
