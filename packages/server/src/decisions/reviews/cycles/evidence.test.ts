import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';

let service: ReviewsTest;
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body.
let cycle: any;
const email = (name: string) => `${name}@acme.example`;
const ann = { id: 'ann', email: email('ann'), memberships: { team: [{ id: 'blue' }, { id: 'red' }] } };
const formula = { id: 'robot', username: '=HYPERLINK("x")' };

beforeAll(async () => {
  service = await openReviewsTest([ann, formula]);
  await service.call('POST', '/api/users/', { email: email('ann'), first_name: 'Ann' });
  cycle = await service.start({ name: 'Year end', cooling_off_hours: 0 });
});
afterAll(() => service.close());

const evidence = async (format: string) =>
  (await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/evidence/?format=${format}`)).body;
const rows = async (): Promise<Record<string, string>[]> => parse(await evidence('csv'), { columns: true });

test('exports decisions, tasks and whether a later sync confirmed the removal', async () => {
  const [account, blue, red, robot] = await service.items(cycle);
  await service.decide(cycle, [account, red, robot], 'keep');
  await service.decide(cycle, [blue], 'revoke', { comment: 'Left, "the" blues' });
  const task = (await service.items(cycle, 'decision=revoke'))[0].task.external_uuid;

  const json = await evidence('json');
  expect(json).toMatchObject({
    cycle: { external_uuid: cycle.external_uuid, status: 'completed', campaign: { name: 'Year end' } },
    generated_at: expect.any(String),
  });
  expect(json.items).toEqual(await service.items(cycle));
  expect(await rows()).toMatchObject([
    { kind: 'account', account: email('ann'), user: email('ann'), decision: 'keep', seen_gone: '' },
    {
      kind: 'membership',
      resource_name: 'Blue',
      decision: 'revoke',
      decided_by: 'admin@acme.example',
      decided_at: expect.stringMatching(/Z$/),
      comment: 'Left, "the" blues',
      task,
      task_status: 'pending',
      seen_gone: 'false',
    },
    { resource_name: 'Red', task: '', seen_gone: '' },
    { account: `'=HYPERLINK("x")`, user: '' },
  ]);

  await service.bridge('GET', '/tasks/?status=pending');
  await service.bridge('PATCH', `/tasks/${task}/status/`, { status: 'completed' });
  expect((await rows())[1]).toMatchObject({ task_status: 'completed', seen_gone: 'false' });
  await service.sync([{ ...ann, memberships: { team: [{ id: 'red' }] } }, formula]);
  const [, gone] = await rows();
  expect(gone).toMatchObject({
    task_status: 'completed',
    seen_gone: 'true',
    seen_again_at: '',
    restored_by: '',
  });
  expect(gone?.seen_gone_at).toMatch(/Z$/);

  // The first time stays, with what came later beside it (G15).
  await service.sync([ann, formula]);
  const [, again] = await rows();
  expect(again).toMatchObject({ seen_gone: 'true', seen_gone_at: gone?.seen_gone_at, restored_by: '' });
  expect(again?.seen_again_at).toMatch(/Z$/);
  await service.sync([{ ...ann, memberships: { team: [{ id: 'red' }] } }, formula]);
  expect((await rows())[1]).toEqual(again);
});

test('names the decision that gave a revoked access back', async () => {
  await service.sync([ann, formula]);
  const next = await service.start({ name: 'Summer', cooling_off_hours: 0 });
  const red = (await service.items(next)).find((item) => item.resource?.id === 'red');
  await service.decide(next, [red], 'revoke');
  const carryOut = async () => {
    const { tasks } = (await service.bridge('GET', '/tasks/?status=pending')).body;
    for (const { id } of tasks)
      await service.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed' });
  };
  await carryOut();
  await service.sync([{ ...ann, memberships: { team: [{ id: 'blue' }] } }, formula]);
  const { body } = await service.call('POST', '/api/tasks/', {
    ...{ app: service.appId, account: red.account.external_uuid, action: 'update_account', reason: 'Back' },
    changes: { team: { added: ['red'] } },
  });
  await carryOut();
  const found = (await service.items(next)).find((item) => item.id === red.id);
  expect(found).toMatchObject({
    seen_gone: true,
    restored_by: { kind: 'manual', external_uuid: body.external_uuid, label: 'Back' },
  });
});

test('rejects unknown formats', async () => {
  const address = `/api/reviews/cycles/${cycle.external_uuid}/evidence/`;
  expect((await service.call('GET', `${address}?format=pdf`)).status).toBe(400);
});
