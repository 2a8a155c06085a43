import { Type } from 'typebox';
import { ExactTime } from '#inventory/records/history/as-of-schemas.ts';
import { route } from '#kit/http.ts';
import { Component, Instant } from '#kit/schemas.ts';
import { marksOf } from '../marks.ts';
import { place, subject } from './schemas.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const DayMarks = Component('DayMarks', {
  day: Type.String({ format: 'date' }),
  syncs: count('The completed syncs of its apps.'),
  began: count('The accounts, groups and licenses that were first seen, after they had been absent.'),
  ended: count('Those that were gone for the first time.'),
  reviews: count('The cycles of access reviews with items about it that were completed. 0 for members.'),
});

export const marksRoute = route(
  'GET',
  '/api/history/marks/',
  {
    ...place,
    summary: 'Mark the days on which access changed',
    description:
      'The days on which a sync completed, access began or ended, or a review was completed. Takes `user`, `account`, `app`, or `app` with `slug` and `resource`; without them, it concerns all apps. Leaves out days without any.',
    query: {
      ...subject,
      from: Type.Optional({ ...Instant, description: 'By default, a year before `to`.' }),
      to: Type.Optional({ ...Instant, description: 'By default, now.' }),
      time_zone: Type.String({ default: 'UTC', description: 'The time zone of the days: an IANA name.' }),
    },
    reply: Component('HistoryMarks', {
      from: ExactTime,
      to: ExactTime,
      shows_access: Type.Boolean({
        description: 'false: the subject has more than 2,000 accounts. Then `began` and `ended` are 0.',
      }),
      results: Type.Array(DayMarks, { description: 'The earliest day first.' }),
    }),
  },
  ({ call, query }) => marksOf(call, query),
);
