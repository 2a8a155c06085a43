import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { openScim } from '#test/scim.ts';

/** A call in the shape that the documentation of a provider shows (test/scim/README.md). */
interface Recorded {
  about: string;
  method: string;
  path: string;
  send?: object;
  status: number;
  body?: object;
  absent?: string[];
  keep?: Record<string, string>;
}

let service: TestApp;
afterEach(() => service.close());

test.each(['entra-id', 'okta'])('plays the calls of %s in order', async (name) => {
  service = await openTestApp();
  const { scim } = await openScim(service);
  const file = new URL(`../../../test/scim/${name}.json`, import.meta.url);
  const calls: Recorded[] = JSON.parse(readFileSync(file, 'utf8'));
  const kept = new Map<string, string>();
  const fill = <T>(part: T): T =>
    JSON.parse(JSON.stringify(part).replaceAll(/\{(\w+)\}/g, (whole, key) => kept.get(key) ?? whole));
  for (const { about, method, path, send, status, body, absent = [], keep = {} } of calls) {
    const [address = '', query] = fill(path).split('?');
    const search = query === undefined ? '' : `?${new URLSearchParams(query.replaceAll('+', '%2B'))}`;
    const answer = await scim(method, address + search, send === undefined ? undefined : fill(send));
    expect(answer.status, `${about}: ${JSON.stringify(answer.body)}`).toBe(status);
    if (body !== undefined) expect(answer.body, about).toMatchObject(fill(body));
    for (const attribute of absent) expect(answer.body, about).not.toHaveProperty([attribute]);
    for (const [key, attribute] of Object.entries(keep)) kept.set(key, String(answer.body[attribute]));
  }
});
