import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { PilotlightError } from '@pilotlight/profile';

const PARTS_MAX = 16;

/**
 * The parts of a multipart/form-data body by name; of two with one name the first counts.
 *
 * @throws PilotlightError `malformed_profile`
 */
export function parseMultipart(contentType: string, body: Uint8Array): Promise<ReadonlyMap<string, Uint8Array>> {
  return new Promise((resolve, reject) => {
    const refuse = (what: string, cause?: unknown) =>
      reject(new PilotlightError('malformed_profile', `multipart body: ${what}`, { cause }));
    const parts = new Map<string, Uint8Array>();
    let open = 0;
    let busboy: BusboyInstance;
    try {
      busboy = new Busboy({
        headers: { 'content-type': contentType },
        // Every part counts as a file: the Java agent's parts have no content type of their own.
        isPartAFile: () => true,
        limits: { parts: PARTS_MAX, files: PARTS_MAX, fileSize: body.length, headerPairs: 50 },
      });
    } catch (thrown) {
      refuse(thrown instanceof Error ? thrown.message : String(thrown), thrown);
      return;
    }
    busboy.on('file', (name, stream) => {
      const chunks: Buffer[] = [];
      open++;
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', (error: Error) => refuse(error.message, error));
      stream.on('end', () => {
        open--;
        if (!parts.has(name)) parts.set(name, Buffer.concat(chunks));
      });
    });
    busboy.on('partsLimit', () => refuse(`more than ${PARTS_MAX} parts`));
    busboy.on('error', (error) => refuse(error instanceof Error ? error.message : String(error), error));
    busboy.on('finish', () => {
      if (open > 0) refuse('a part is cut off');
      else resolve(parts);
    });
    busboy.end(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  });
}
