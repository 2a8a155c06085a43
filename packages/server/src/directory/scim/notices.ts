import { quote } from '#log/notices/draft.ts';
import { administrators, type Handler, type Notices } from '#log/notices/notices.ts';

/** The key names the client and the attribute, so that each leads to one notification. */
const attributeIgnored: Handler = async ({ org, event, text }) => [
  {
    kind: 'attribute_ignored',
    key: `attribute_ignored:${text('api_key_id')}:${text('attribute')}`,
    to: await administrators(org),
    title: `An identity provider sends ${quote(text('attribute'))} that Gatehouse cannot apply`,
    body: `The attribute of ${text('email')} stayed as it was, and the rest of the request was applied: ${quote(text('reason'))} You are not told again about this attribute of this client. Correct it in the identity provider.`,
    path: `/people/${event.subject.uuid}`,
    about: { type: 'organization', id: null },
    appId: null,
  },
];

export const scimNotices: Notices = { handlers: { 'scim.attribute_ignored': attributeIgnored } };
