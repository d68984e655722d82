/** A file name from what comes from outside: nothing in it is a path, a hidden file or a surprise. */
export function downloadName(service: string, profileTypeId: string, ending: string): string {
  const [name = '', type = ''] = profileTypeId.split(':');
  const parts = [service, name, type].map((part) => part.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 60));
  return `${parts.filter((part, index) => part !== '' && part !== parts[index - 1]).join('-') || 'profile'}.${ending}`;
}

/** Hands bytes to the reader as a file. */
export function saveFile(bytes: Uint8Array, name: string): void {
  const url = URL.createObjectURL(new Blob([bytes as BlobPart], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Not at once: some browsers read it only after the click has been dealt with.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
