import { route } from '#kit/http.ts';
import { workOf } from '../work.ts';
import { Work } from '../work-schema.ts';

export const workRoute = route(
  'GET',
  '/api/work/',
  {
    tag: 'Organization',
    config: { access: { scope: 'session' }, reads: 'replica' },
    summary: 'Get your work',
    description:
      'What waits for you: requests to approve, reviews, tasks, findings and holds. Each has the count of its list, and the first one to decide.',
    reply: Work,
  },
  ({ call }) => workOf(call),
);
