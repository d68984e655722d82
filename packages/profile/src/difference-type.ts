/**
 * Whether values of this sample type may be below 0. What happened (time, allocations, contentions) only adds up, so a
 * negative value is an error of the sender. What is there (live heap, goroutines) shrinks as well, so two snapshots
 * subtracted give negative values that mean something; and a type may say itself that it is a difference.
 */
export function isDifferenceType(type: string): boolean {
  return /^(inuse_|live)|^goroutines?$|(^|_)(delta|diff|difference)(_|$)/.test(type);
}
