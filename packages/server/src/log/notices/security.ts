import { date } from './draft.ts';
import { type Context, type Handler, toAll } from './notices.ts';

/** A notice to the person whom the event is about. */
export const security =
  (
    kind: 'key_created' | 'password_changed' | 'factor_removed',
    describe: (context: Context) => { title: string; body: string; to?: string },
  ): Handler =>
  async (context) => {
    const { event } = context;
    // Nobody is told about the keys of an organization that is just being made.
    if (event.actor.type === 'system' && kind === 'key_created') return [];
    const { title, body, to = event.subject.uuid } = describe(context);
    const otherwise = 'If you did not do this, tell an administrator immediately.';
    return [
      {
        kind,
        key: `${kind}:${event.id}`,
        to: toAll([to]),
        title,
        body: `${body} ${date(event.at)}. ${otherwise}`,
        path: kind === 'key_created' ? `/people/${to}` : '/settings/profile',
      },
    ];
  };
