import { within } from '../../../kit/database/organization.ts';
import type { Payload } from '../../../log/events/catalog.ts';
import { quote } from '../draft.ts';
import { administrators } from '../recipients.ts';
import type { Handler } from './handler.ts';

export const changeHeld: Handler = async ({ db, orgId, event }) => {
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
      to: await administrators(within(db, orgId)),
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
