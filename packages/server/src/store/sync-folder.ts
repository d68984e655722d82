import { open } from 'node:fs/promises';

/**
 * Resolves when the names in a folder are durable. A rename is not when what was renamed is: it is the folder's content that changed,
 * and some file systems (ext4 of older kernels) keep it in memory for seconds.
 */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
