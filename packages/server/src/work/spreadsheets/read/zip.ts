import type { Readable } from 'node:stream';
import yauzl from 'yauzl';
import { uploadRefusals } from '../sentences.ts';

const MOST_ENTRIES = 10_000;

/** The files inside a ZIP archive. */
export interface Archive {
  has(name: string): boolean;
  /** Reads a file as text, piece by piece. Throws 400 once it has inflated to more than `most` bytes. */
  read(name: string, most: number): AsyncGenerator<string>;
  close(): void;
}

/** Opens an archive. Throws 400 if it is damaged or protected. */
export async function openArchive(bytes: Buffer): Promise<Archive> {
  const zip = await new Promise<yauzl.ZipFile>((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: true }, (error, opened) =>
      error ? reject(damaged()) : resolve(opened),
    );
  });
  const entries = await entriesOf(zip);
  return {
    has: (name) => entries.has(name.toLowerCase()),
    close: () => zip.close(),
    async *read(name, most) {
      const entry = entries.get(name.toLowerCase());
      if (entry === undefined) throw damaged();
      if (entry.generalPurposeBitFlag & 1) throw protectedFile();
      if (entry.uncompressedSize > most) throw tooLarge(most);
      const stream = await new Promise<Readable>((resolve, reject) => {
        zip.openReadStream(entry, (error, opened) => (error ? reject(damaged()) : resolve(opened)));
      });
      const decoder = new TextDecoder('utf-8', { fatal: true });
      let size = 0;
      try {
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          size += chunk.length;
          if (size > most) throw tooLarge(most);
          yield decoder.decode(chunk, { stream: true });
        }
        yield decoder.decode();
      } catch (error) {
        throw (error as Error).name === 'DomainError' ? error : damaged();
      }
    },
  };
}

function entriesOf(zip: yauzl.ZipFile): Promise<Map<string, yauzl.Entry>> {
  const entries = new Map<string, yauzl.Entry>();
  return new Promise((resolve, reject) => {
    zip.on('error', () => reject(damaged()));
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: yauzl.Entry) => {
      if (entries.size >= MOST_ENTRIES) return reject(damaged());
      // The names of parts differ in more than case (ECMA-376, part 2).
      entries.set(entry.fileName.toLowerCase(), entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
}

const MB = 1024 * 1024;

export const damaged = () => uploadRefusals.workbook_damaged();
export const protectedFile = () => uploadRefusals.workbook_protected();
const tooLarge = (most: number) => uploadRefusals.workbook_too_large({ most: most / MB });
