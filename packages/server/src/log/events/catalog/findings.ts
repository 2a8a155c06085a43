import { Nullable, Uuid } from '#kit/schemas.ts';
import { BY_PERSON, Count, define, field, Text, Timestamp } from '../payloads.ts';

const finding = {
  finding_id: field('The finding.', Uuid),
  kind: field('The kind of the finding.', Text),
  subject_id: field('The person, account, app or other thing that it is about.', Uuid),
  app_id: field('The app that it concerns. Null: none, or several.', Nullable(Uuid)),
  user_id: field('The person whom it is about. Null: nobody.', Nullable(Uuid)),
  text: field('The finding in words.', Text),
};

const BY_ITSELF = ['schedule'] as const;

/** The faults of an organization. */
export const findingsEvents = {
  'finding.opened': define('Finding opened', ['system'], BY_ITSELF, {
    severity: 'medium',
    ocsf: ['entity_management', 1],
    sentence: 'A finding was opened',
    quote: ['text'],
    payload: finding,
  }),
  'finding.resolved': define('Finding resolved', ['system'], BY_ITSELF, {
    sentence: 'A finding was resolved',
    quote: ['text'],
    payload: finding,
  }),
  'finding.reopened': define(
    'Finding opened again: it came back, or its acceptance ended',
    ['system'],
    [...BY_PERSON, ...BY_ITSELF],
    {
      severity: 'medium',
      sentence: 'A finding was opened again',
      quote: ['text'],
      payload: finding,
    },
  ),
  'finding.accepted': define('Finding accepted', ['system'], BY_PERSON, {
    severity: 'medium',
    sentence: '{who} accepted a finding',
    quote: ['text'],
    payload: {
      ...finding,
      accepted_until: field('The time at which it is open again.', Timestamp),
      reason: field('The reason that the person gave.', Text),
    },
  }),
  'finding.assigned': define('Finding assigned to a person', ['system'], BY_PERSON, {
    sentence:
      '{has_to, select, no {{who} ended the assignment of a finding} other {{who} assigned a finding to {to}}}',
    quote: ['text'],
    people: ['to'],
    payload: {
      ...finding,
      from: field('The assignee before. Null means nobody.', Nullable(Uuid)),
      to: field('The assignee after. Null means nobody.', Nullable(Uuid)),
    },
  }),
  'finding.missed': define(
    'Findings that only the nightly check found, although no event had told of them',
    ['system'],
    BY_ITSELF,
    {
      severity: 'high',
      sentence:
        'The nightly check found {opened, plural, one {# finding} other {# findings}} of the kind {kind} and resolved {resolved} that no event had told of',
      payload: {
        kind: field('The kind of the findings.', Text),
        opened: field('The findings that it opened.', Count),
        resolved: field('The findings that it resolved.', Count),
      },
    },
  ),
};
