import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const packages = join(import.meta.dirname, '../../..');

/** Neither the server nor the SDK imports the other, and a connector can be copied out of this repository. */
test.each(['network-cause.ts', 'outbound-proxy.ts', 'tunnel.ts'])(
  'the server and the SDK have the same %s',
  (name) => {
    const textOf = (folder: string) => readFileSync(join(packages, folder, name), 'utf8');

    expect(textOf('connector/src')).toBe(textOf('server/src/kit/net'));
  },
);
