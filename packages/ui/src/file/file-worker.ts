/** Reads a file on a thread of its own: a large recording takes seconds, and the page must answer meanwhile. Ends with its answer. */
import { PilotlightError } from '@pilotlight/profile';
import { FILE_BYTES_MAX, type FileContent, INFLATED_BYTES_MAX, readFileContent } from './file-reading.js';

export type FileAnswer = { readonly content: FileContent } | { readonly fault: string };

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<File>) => void) | null;
  postMessage(message: FileAnswer, transfer: Transferable[]): void;
};

scope.onmessage = async ({ data }) => {
  try {
    const content = readFileContent(await inflated(data));
    const buffers = content.profiles.flatMap(({ tree }) =>
      [tree.name, tree.parent, tree.depth, tree.self, tree.total].map((column) => column.buffer as ArrayBuffer),
    );
    scope.postMessage({ content }, [...new Set(buffers)]);
  } catch (thrown) {
    scope.postMessage({ fault: PilotlightError.from(thrown).message }, []);
  }
};

/** The bytes of a file, without the gzip around them. */
async function inflated(file: File): Promise<Uint8Array> {
  if (file.size > FILE_BYTES_MAX) throw tooLarge('The file is', FILE_BYTES_MAX);
  const magic = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (magic[0] !== 0x1f || magic[1] !== 0x8b) return new Uint8Array(await file.arrayBuffer());
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = (file.stream().pipeThrough(new DecompressionStream('gzip')) as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((thrown: unknown) => {
      throw new PilotlightError('malformed_profile', `the gzip of the file is damaged: ${String(thrown)}`);
    });
    if (done) break;
    length += value.length;
    if (length > INFLATED_BYTES_MAX) throw tooLarge('Inflated, the file is', INFLATED_BYTES_MAX);
    parts.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function tooLarge(what: string, limit: number): PilotlightError {
  const text = `${what} larger than the ${limit / 2 ** 20} MiB a page can take. "pilotlight push FILE" stores files of any size.`;
  return new PilotlightError('body_size_limit', text);
}
