import { createService, Exit, Failure, type Service } from '@gatehouse/connector';

/** Returns a client for the service named by flags, environment or `gatehouse login`. For commands without a connector. */
export function serviceOf(url: string | undefined): { service: Service; url: string } {
  const address = url ?? process.env.GATEHOUSE_URL;
  const key = process.env.GATEHOUSE_API_KEY;
  if (!address)
    throw new Failure('no service address: run `gatehouse login`, or set GATEHOUSE_URL', Exit.usage);
  if (!key) throw new Failure('no API key: run `gatehouse login`, or set GATEHOUSE_API_KEY', Exit.usage);
  const log = { info: printError, warn: printError };
  return {
    service: createService({ url: address, key, log, signal: new AbortController().signal }),
    url: address,
  };
}

/** Writes a line to standard error. */
export function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Writes a line to standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Aligns rows in columns. Each column is as wide as its widest field; the last one is not padded. */
export function columns(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row.map((field, at) => (at === row.length - 1 ? field : field.padEnd(widths[at] ?? 0))).join('  '),
    )
    .join('\n');
}
