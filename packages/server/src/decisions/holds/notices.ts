import { forOwnerAndAdministrators } from '#inventory/apps/notices.ts';
import type { Payload } from '#log/events/catalog.ts';
import { quote } from '#log/notices/draft.ts';
import { administrators, type Handler, type Notices } from '#log/notices/notices.ts';
import { countHeldTasks } from '#work/provisioning/facts.ts';
import { waitsForSecondPerson } from '#work/provisioning/own-afterwards.ts';
import { lastHoldOfApp, openHoldsAmong } from './facts.ts';

const changeHeld: Handler = async ({ org, event }) => {
  const { hold_id: id, client, group, affected, of } = event.payload as Payload<'people.change_held'>;
  const share = of > 0 ? `, ${Math.round((affected / of) * 100)} %` : '';
  const people = `${affected} of ${of} people${share}`;
  const by = nameOf(client);
  const what =
    group === null
      ? `${by} has deactivated, deleted or replaced many people in 24 hours (${people}).`
      : `The group ${quote(group.name)} has lost many members in an hour (${people}), the last ones by ${by}.`;
  return [
    {
      kind: 'people_change_held',
      key: `people_change_held:${id}`,
      to: await administrators(org),
      title: group === null ? 'Many people were deactivated' : `The group ${group.name} lost many members`,
      body: `${capitalized(what)} They can no longer sign in with what they lost, but their access stays until you confirm or discard the hold.`,
      path: `/holds/${id}`,
      about: { type: 'hold', id },
      appId: null,
    },
  ];
};

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function nameOf(client: Payload<'people.change_held'>['client']): string {
  if (client === null) return 'a signed-in person';
  if (client.type === 'import') return `an import by ${quote(client.name)}`;
  return `the ${client.type === 'scim' ? 'SCIM' : 'API'} key ${quote(client.name)}`;
}

/** People are told once about tasks of an app that wait. */
async function tasksHeld(context: Parameters<Handler>[0], why: string) {
  const hold = await lastHoldOfApp(context.org, context.text('app_id'));
  return forOwnerAndAdministrators(context, {
    kind: 'budget_held',
    ...(hold !== undefined && { key: hold }),
    title: `Tasks are held in ${context.text('app_name')}`,
    body: `${why} Open the app to confirm or reject them.`,
  });
}

const budgetExceeded: Handler = (context) => tasksHeld(context, 'They exceed the daily budget of the app.');

const taskBlocked: Handler = async (context) =>
  (await waitsForSecondPerson(context.org, context.text('task_id')))
    ? tasksHeld(context, 'They give access that somebody behind the decision has or asked for.')
    : [];

export const holdNotices: Notices = {
  handlers: {
    'people.change_held': changeHeld,
    'removal_budget.exceeded': budgetExceeded,
    'task.dispatch_blocked': taskBlocked,
  },
  waits: {
    people_change_held: (db, _, holds) => openHoldsAmong(db, holds),
    budget_held: async (db, _, apps) => (await countHeldTasks(db, apps)).keys(),
  },
};
