import { quote } from '#log/notices/draft.ts';
import { administrators, type Handler, type Notices } from '#log/notices/notices.ts';

const returnedAsAnother: Handler = async ({ org, event, text }) => [
  {
    kind: 'returned_as_another',
    key: `returned_as_another:${event.id}`,
    to: await administrators(org),
    title: `${text('email')} came back under another id`,
    body: `An identity provider had ${quote(text('from'))} for this person, and now has ${quote(text('to'))}. Every way to sign in was removed, and suspended accounts stay suspended. Check that it is the same person.`,
    path: `/people/${event.subject.uuid}`,
    about: { type: 'organization', id: null },
    appId: null,
  },
];

export const peopleNotices: Notices = { handlers: { 'person.external_id_changed': returnedAsAnother } };
