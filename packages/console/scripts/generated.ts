import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Writes a generated file if its text has changed. Another process may read it, or generate it at the same time. */
export function writeGenerated(file: string, text: string): void {
  if (text === existing(file)) return;
  const written = `${file}.${process.pid}`;
  writeFileSync(written, text);
  renameSync(written, file);
}

function existing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
