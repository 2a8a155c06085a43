import { createService, Exit, Failure, type Service } from '@gatehouse/connector';

/** The service that flags, environment or `gatehouse login` name, for commands without a connector. */
export function serviceOf(url: string | undefined): { service: Service; url: string } {
  const address = url ?? process.env.GATEHOUSE_URL;
  const key = process.env.GATEHOUSE_API_KEY;
  if (!address)
    throw new Failure('where is the service? Run `gatehouse login`, or set GATEHOUSE_URL', Exit.usage);
  if (!key) throw new Failure('no API key: run `gatehouse login`, or set GATEHOUSE_API_KEY', Exit.usage);
  const log = { info: tell, warn: tell };
  return {
    service: createService({ url: address, key, log, signal: new AbortController().signal }),
    url: address,
  };
}

export function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Rows in columns as wide as their widest field; the last one is left ragged. */
export function columns(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row.map((field, at) => (at === row.length - 1 ? field : field.padEnd(widths[at] ?? 0))).join('  '),
    )
    .join('\n');
}
