import { workOffTasks } from '../../tasks.ts';
import { type Check, must } from '../check.ts';
import { listAll } from '../read.ts';
import { rehearse } from '../rehearsal.ts';
import { accountType, check, create, expectDone, idOf, newAccount, perform, witnessOf } from './tools.ts';

/** Checks of the effect of each task. */
export const taskChecks: Check[] = [
  check(
    'write.create',
    'a created account exists with its grants',
    { tasks: ['create_account'] },
    async (subject) => {
      const grants = subject.stage.grants?.slice(0, 1) ?? [];
      const { id } = await create(subject, Object.fromEntries(grants.map(({ slug, ref }) => [slug, [ref]])));
      must(await witnessOf(subject).exists(id), 'the witness does not see the created account');
      for (const { slug, ref } of grants) {
        must(
          (await witnessOf(subject).holds?.(id, slug, ref.id)) ?? true,
          `the witness does not see ${slug} '${ref.id}' granted`,
        );
      }
    },
  ),
  check(
    'write.create-twice',
    'creating an existing account reports ACCOUNT_ALREADY_EXISTS',
    { tasks: ['create_account'] },
    async (subject) => {
      const { account } = await create(subject);
      const again = await perform(subject, 'create_account', {
        account: { ...account, id: 'another-id' },
        memberships: {},
      });
      must(
        again.code === 'ACCOUNT_ALREADY_EXISTS',
        `the second create reported ${again.code ?? again.status} ${again.message}`,
      );
    },
  ),
  check(
    'write.create-introduced',
    'a created account is pushed with its own id',
    { tasks: ['create_account'] },
    async (subject) => {
      const account = newAccount(subject);
      await rehearse(
        { ...subject, connector: { ...subject.connector, deliver: async () => {} } },
        [],
        async ({ service, app, run }) => {
          service.world.addTask(app, accountType(subject), 'create_account', { account, memberships: {} });
          await run(workOffTasks);
          const [pushedAccount] = service.world.inventory(app)[accountType(subject)] ?? [];
          must(pushedAccount, 'nothing was pushed');
          must(
            pushedAccount.id === (await idOf(subject, account)),
            `it was pushed as '${pushedAccount.id}' but is listed with another id`,
          );
        },
      );
    },
  ),
  check(
    'write.update-grants',
    'update_account adds and removes grants',
    { tasks: ['create_account', 'update_account'], grants: 2, witness: 'holds' },
    async (subject) => {
      const { id, account } = await create(subject);
      const [one, two] = subject.stage.grants ?? [];
      must(one && two, 'two grants are needed');
      const { holds } = witnessOf(subject);
      await expectDone(
        subject,
        'update_account',
        { account, changes: { [one.slug]: { added: [one.ref], removed: [] } } },
        'granting',
      );
      must(await holds?.(id, one.slug, one.ref.id), 'the witness does not see the first grant');
      const both = { [two.slug]: { added: [two.ref], removed: [] as (typeof two.ref)[] } };
      both[one.slug] = { added: both[one.slug]?.added ?? [], removed: [one.ref] };
      await expectDone(subject, 'update_account', { account, changes: both }, 'swapping');
      must(await holds?.(id, two.slug, two.ref.id), 'the witness does not see the second grant');
      must(
        !(await holds?.(id, one.slug, one.ref.id)),
        'the witness still sees the first grant after its removal',
      );
    },
  ),
  check(
    'write.update-twice',
    'a repeated update succeeds',
    { tasks: ['create_account', 'update_account'], grants: 2 },
    async (subject) => {
      const { account } = await create(subject);
      const [one, two] = subject.stage.grants ?? [];
      must(one && two, 'two grants are needed');
      const added = { account, changes: { [one.slug]: { added: [one.ref], removed: [] } } };
      const removed = { account, changes: { [one.slug]: { added: [], removed: [one.ref] } } };
      for (const payload of [added, added, removed, removed])
        await expectDone(subject, 'update_account', payload, 'the update');
    },
  ),
  check(
    'write.suspend',
    'suspend_account suspends an account, also when repeated',
    { tasks: ['create_account', 'suspend_account'], witness: 'suspended' },
    async (subject) => {
      const { id, account } = await create(subject);
      for (const time of ['first', 'second'])
        await expectDone(subject, 'suspend_account', { account }, `the ${time} suspend`);
      must(await witnessOf(subject).suspended?.(id), 'the witness sees the account as active');
      const listed = (await listAll(subject)).records
        .get(accountType(subject))
        ?.find((record) => record.id === id);
      must(
        listed && 'status' in listed && listed.status !== 'active',
        'the account is not listed as suspended or inactive',
      );
    },
  ),
  check(
    'write.unsuspend',
    'unsuspend_account activates an account, also when repeated',
    { tasks: ['create_account', 'suspend_account', 'unsuspend_account'], witness: 'suspended' },
    async (subject) => {
      const { id, account } = await create(subject);
      await expectDone(subject, 'suspend_account', { account }, 'suspend');
      for (const time of ['first', 'second'])
        await expectDone(subject, 'unsuspend_account', { account }, `the ${time} unsuspend`);
      must(!(await witnessOf(subject).suspended?.(id)), 'the witness sees the account as suspended');
    },
  ),
  check(
    'write.reset-password',
    'after reset_password the new password works and the old one does not',
    { tasks: ['create_account', 'reset_password'], witness: 'signsIn' },
    async (subject) => {
      const { id, account } = await create(subject);
      const { signsIn } = witnessOf(subject);
      const first = (
        await expectDone(subject, 'reset_password', { account }, 'the first reset')
      ).passwords.get(id);
      must(first, 'no new password was delivered');
      must(await signsIn?.(account, first), 'the delivered password does not work');
      const second = (
        await expectDone(subject, 'reset_password', { account }, 'the second reset')
      ).passwords.get(id);
      must(second && (await signsIn?.(account, second)), 'the second password does not work');
      must(!(await signsIn?.(account, first)), 'the old password still works');
    },
  ),
  check(
    'write.delete',
    'delete_account deletes an account',
    { tasks: ['create_account', 'delete_account'] },
    async (subject) => {
      const { id, account } = await create(subject);
      await expectDone(subject, 'delete_account', { account: { id: account.id } }, 'delete');
      must(!(await witnessOf(subject).exists(id)), 'the witness still sees the account');
    },
  ),
];
