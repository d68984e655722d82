import { PilotlightError } from '@pilotlight/profile';
import { sentence } from '../failure.js';
import { describeParts } from './describe.js';
import { FileBytes } from './file-bytes.js';
import { inParallel } from './in-parallel.js';
import { canBeHalved, endOf, halvesOf, type Part, partsOf } from './long-recording.js';
import { endingAt } from './recording.js';
import type { Upload } from './upload.js';

/** One travels while the next is cut: each is up to 16 MiB, inflated. */
const PARTS_AT_A_TIME = 2;

/**
 * Sends a JFR recording of any length in parts. A part that is refused does not stop the others.
 *
 * @param endNanos When the last part shall end; undefined: each keeps its time.
 * @returns What was stored, in words.
 * @throws PilotlightError when a part was refused, with the count of both.
 */
export async function pushParts(
  path: string,
  name: string,
  file: FileBytes,
  endNanos: bigint | undefined,
  send: (upload: Upload) => Promise<void>,
): Promise<string> {
  const shiftNanos = endNanos === undefined ? 0n : endNanos - (await endOfFile(path));
  const events = new Map<string, number>();
  const refused: PilotlightError[] = [];
  const damages: PilotlightError[] = [];
  let parts = 0;
  let first: bigint | undefined;
  let last = 0n;

  const sendPart = async (part: Part): Promise<void> => {
    try {
      await send(part);
    } catch (thrown) {
      if (canBeHalved(part.format, part.eventBytes, thrown)) {
        const halves = [...halvesOf(part)];
        if (halves.length > 1) {
          for (const half of halves) await sendPart(half);
          return;
        }
      }
      if (!(thrown instanceof PilotlightError) || thrown.code === 'unauthenticated') throw thrown;
      refused.push(thrown);
      return;
    }
    parts++;
    if (first === undefined || part.startNanos < first) first = part.startNanos;
    const end = part.startNanos + part.durationNanos;
    if (end > last) last = end;
    for (const [type, count] of part.events) events.set(type, (events.get(type) ?? 0) + count);
  };
  await inParallel(
    partsOf(file, (damage) => damages.push(damage)),
    PARTS_AT_A_TIME,
    (part) => sendPart(shiftNanos === 0n ? part : endingAt(part, part.startNanos + part.durationNanos + shiftNanos)),
  );

  const [refusal] = refused;
  if (refusal !== undefined) {
    const message =
      parts === 0
        ? refusal.message
        : `${refused.length} of ${parts + refused.length} parts were refused, the others are stored; the first: ${refusal.message}`;
    throw new PilotlightError(refusal.code, message, refusal.place);
  }
  const [damage] = damages;
  if (parts === 0) throw damage ?? new PilotlightError('malformed_profile', 'there is no sample in it');
  return describeParts(name, {
    parts,
    events,
    startNanos: first ?? 0n,
    endNanos: last,
    damaged: damages.length,
    firstDamage: damage === undefined ? '' : sentence(damage),
  });
}

async function endOfFile(path: string): Promise<bigint> {
  const file = await FileBytes.open(path);
  try {
    return await endOf(file);
  } finally {
    file.close();
  }
}
