import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

let api: typeof import('./base.ts');
/** The paths of the requests that the server got. */
let asked: string[] = [];
let hasFactor = false;

const refusal = { detail: 'Set up a second factor.', errors: [{ code: 'second_factor_required' }] };

beforeAll(async () => {
  // The module takes two things of a browser while it loads.
  vi.stubGlobal('document', { querySelector: () => ({ content: 'acme' }) });
  vi.stubGlobal('addEventListener', () => {});
  api = await import('./base.ts');
  vi.unstubAllGlobals();
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    asked.push(new URL(url).pathname);
    return hasFactor ? Response.json({}) : Response.json(refusal, { status: 403 });
  });
});
afterAll(() => {
  vi.unstubAllGlobals();
  api.onFactorMissing(async () => false);
});
beforeEach(() => {
  asked = [];
  hasFactor = false;
});

const post = (path: string) =>
  api.send(new Request(`http://localhost${path}`, { method: 'POST', body: '{}' }));

test('repeats a request after the person has set up the factor that was required while the page was open', async () => {
  api.onFactorMissing(async () => {
    hasFactor = true;
    return true;
  });

  expect((await post('/org/acme/api/apps/')).status).toBe(200);
  expect(asked).toEqual(['/org/acme/api/apps/', '/org/acme/api/apps/']);
});

test('shows the refusal if the person sets up no factor', async () => {
  api.onFactorMissing(async () => false);

  await expect(post('/org/acme/api/apps/')).rejects.toThrow('Set up a second factor.');
  expect(asked).toHaveLength(1);
});

test('lets the page that sets up a factor handle the refusals of its own requests', async () => {
  const ask = vi.fn(async () => true);
  api.onFactorMissing(ask);

  await expect(post('/org/acme/auth/two-factor/')).rejects.toThrow('Set up a second factor.');
  expect(ask).not.toHaveBeenCalled();
});
