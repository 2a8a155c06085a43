import { accessibleCycle } from '#decisions/reviews/cycles/cycles.ts';
import { accountOf } from '#inventory/records/accounts/accounts.ts';
import { resource } from '#kit/http.ts';
import { requireAllApps } from '#kit/identity.ts';
import { Uuid } from '#kit/schemas.ts';
import { requireAccessibleTask } from '#work/provisioning/list.ts';
import { proofOfAccount, proofOfItem, proofOfTask } from '../proof.ts';
import { Proof } from '../proof-schemas.ts';

const reading = { access: { scope: 'read', apps: 'listed' } } as const;
const place = { reading, managing: reading, schema: Proof, view: () => null as never };

const tasks = resource({
  ...place,
  path: '/api/tasks/',
  tag: 'Tasks',
  id: 'task_id',
  find: requireAccessibleTask,
});
const accounts = resource({
  ...place,
  path: '/api/accounts/',
  tag: 'Accounts',
  id: 'account_id',
  find: accountOf,
});
const cycles = resource({
  ...place,
  reading: { access: { scope: 'govern' } },
  path: '/api/reviews/cycles/',
  tag: 'Access reviews',
  allow: ({ principal }) => requireAllApps(principal, 'access reviews'),
  id: 'cycle_id',
  find: accessibleCycle,
});

/** Each link with its state: who decided the removal, the task, who carried it out, and the sync that showed the access gone. */
export const proofRoutes = [
  tasks.one.get(
    'proof/',
    'Get the proof of a task',
    {
      description:
        'Returns the chain from the decision to the sync that showed the access gone. Follows retries of the task, and the deletion that took its place.',
    },
    ({ call, found }) => proofOfTask(call, found.id),
  ),
  accounts.one.get(
    'proof/',
    'Get the proof of the latest removal of an account',
    {
      description:
        'Returns the proof of the last task that takes access of the account away. For an account that is gone: of its deletion or suspension, or else of the sync that no longer showed it.',
    },
    ({ call, found }) => proofOfAccount(call, found),
  ),
  cycles.one.get(
    'items/:item_id/proof/',
    'Get the proof of a revocation',
    {
      description:
        'Returns the proof that the access of a revoked item was taken away. Members see what the item shows.',
      params: { item_id: Uuid },
    },
    ({ call, found, params }) => proofOfItem(call, found.id, params.item_id),
  ),
];
