import { within } from '../../../kit/database/organization.ts';
import { quote } from '../draft.ts';
import { administrators } from '../recipients.ts';
import type { Handler } from './handler.ts';

/** The key names the client and the attribute, so that each leads to one notification. */
export const attributeIgnored: Handler = async ({ db, orgId, event, text }) => [
  {
    kind: 'attribute_ignored',
    key: `attribute_ignored:${text('api_key_id')}:${text('attribute')}`,
    to: await administrators(within(db, orgId)),
    title: `An identity provider sends ${quote(text('attribute'))} that Gatehouse cannot apply`,
    body: `The attribute of ${text('email')} stayed as it was, and the rest of the request was applied: ${quote(text('reason'))} You are not told again about this attribute of this client. Correct it in the identity provider.`,
    path: `/people/${event.subject.uuid}`,
    about: { type: 'organization', id: null },
    appId: null,
  },
];

export const returnedAsAnother: Handler = async ({ db, orgId, event, text }) => [
  {
    kind: 'returned_as_another',
    key: `returned_as_another:${event.id}`,
    to: await administrators(within(db, orgId)),
    title: `${text('email')} came back under another id`,
    body: `An identity provider had ${quote(text('from'))} for this person, and now has ${quote(text('to'))}. Every way to sign in was removed, and suspended accounts stay suspended. Check that it is the same person.`,
    path: `/people/${event.subject.uuid}`,
    about: { type: 'organization', id: null },
    appId: null,
  },
];
