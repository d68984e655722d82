export interface DrawnPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** After the name in Content-Disposition, and further headers; by default what the Java agent writes. */
  readonly headers?: string;
}

const BOUNDARY = '----drawn';

/** A multipart/form-data body spelled out, so that a test can say what no writer would. */
export function multipartBody(parts: readonly DrawnPart[]): { contentType: string; bytes: Uint8Array } {
  const pieces = parts.flatMap(({ name, content, headers = `; filename="${name}"` }) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${headers}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  const bytes = Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
  return { contentType: `multipart/form-data; boundary=${BOUNDARY}`, bytes };
}
