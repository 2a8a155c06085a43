import { personOf } from '#directory/people/people.ts';
import { managing, reading, tag } from '#directory/people/schemas.ts';
import { resource } from '#kit/http.ts';
import { offboard } from '../offboard.ts';
import { NewOffboarding, OffboardingView } from '../schemas.ts';

const people = resource({
  ...{ path: '/api/users/', tag, reading, managing, id: 'user_id' },
  find: personOf,
  schema: OffboardingView,
  view: () => null as never,
});

export const offboardRoute = people.one.post(
  'offboard/',
  'Offboard user',
  {
    description:
      'Deactivates the user, which ends their sessions, and revokes their API keys. Orders tasks that suspend and delete their accounts, and hands over what they own and what waits for them. All or nothing. A task whose turn comes after the user is reactivated is canceled.',
    body: NewOffboarding,
    reply: OffboardingView,
  },
  ({ call, found, body }) => offboard(call, found.id, body),
);
