import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { callOf } from '#kit/identity.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { Comment, CycleStatus, Decision } from '../../campaigns/schemas.ts';
import { listCycles, listReviewers, planOfCycle, withResults } from '../../cycles/cycles.ts';
import { evidenceAsCsv, evidenceAsJson, recordExport } from '../../cycles/evidence.ts';
import { ItemView, itemView } from '../../cycles/item-schemas.ts';
import { remindReviewer } from '../../cycles/remind.ts';
import { CycleView, cycleView } from '../../cycles/routes/cycle-schemas.ts';
import { campaigns, cycles, deciding, overseeing } from '../../cycles/routes/resources.ts';
import { decideItems } from '../decide.ts';

const Count = Type.Integer();

const Plan = Component('ReviewCyclePlan', {
  counts: Type.Object({
    accounts: Type.Object({ suspended: Count, removed: Count }),
    memberships: Type.Object({ removed: Count }),
  }),
  needs_confirmation: Type.Boolean({
    description: 'Whether the tasks would be held because they exceed the daily budget of an app.',
  }),
});

const Progress = Component('ReviewerProgress', {
  reviewer: Nullable(
    Type.Object(
      { external_uuid: Uuid, email: Type.String(), name: Type.String() },
      { description: 'Null: the administrators, who decide items without reviewers.' },
    ),
  ),
  items: Type.Integer(),
  decided: Type.Integer({ description: 'By this reviewer, or by somebody else in their place.' }),
  open: Type.Integer(),
  overdue: Type.Integer({ description: 'Items that nobody had decided by the due date.' }),
  cannot_sign_in: Type.Boolean({
    description:
      'Whether the reviewer has neither a password nor a passkey, and no identity provider can sign them in.',
  }),
  reminded_at: Nullable(Timestamp),
});

const Reminder = Component('ReviewReminder', {
  reminded_at: Timestamp,
  items: Type.Integer({ description: 'The number of undecided items of the reviewer.' }),
});

const Decisions = Component('ReviewDecisions', {
  items: Type.Array(Uuid, { minItems: 1, maxItems: 1000 }),
  decision: Nullable(Decision),
  comment: Comment,
  only_own: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether to return 409, and change nothing, unless the caller made the current decision of every item. For undoing decisions. Undecided items do not matter if `decision` is null.',
    }),
  ),
  at_giver: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'For revocations: whether access that another group or license gives is taken away by removing that one from the account (`context.source` of the item). Without it, such a revocation is 409, unless that one is revoked as well.',
    }),
  ),
  without_deviations: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'For keeping items together: whether to return 409, and change nothing, if one of the items deviates now (`deviations` of its context), or if somebody has decided it since. Takes the decision `keep` and a reason as `comment`.',
    }),
  ),
});

const onReplica = { ...overseeing, reads: 'replica' } as const;

export const cycleRoutes = [
  campaigns.listOf(
    'cycles/',
    'List cycles of a campaign',
    { config: onReplica, query: { status: Type.Optional(CycleStatus) }, item: CycleView },
    async ({ call, found, query: { status } }, page) => {
      const { count, results } = await listCycles(call, { campaign: found.id, status, mine: false }, page);
      return { count, results: results.map((cycle) => cycleView(cycle, call.principal)) };
    },
  ),
  cycles.list(
    'List cycles of all campaigns',
    {
      config: { ...cycles.reading, reads: 'replica' },
      query: {
        status: Type.Optional(CycleStatus),
        mine: Type.Optional(Type.Boolean({ description: 'true: only cycles with items that you review.' })),
      },
    },
    (call, { status, mine = false }, page) => listCycles(call, { campaign: null, status, mine }, page),
  ),
  cycles.get('Get cycle'),
  // D46
  cycles.listOf(
    'plan/',
    'Preview the revocations of a cycle',
    {
      description:
        'Returns the items whose access is revoked and still exists, or would be revoked if the cycle closed now.',
      config: overseeing,
      item: ItemView,
      beside: Plan,
    },
    async ({ call, found }, page) => {
      const { results, ...plan } = await planOfCycle(call, found.id, page);
      return { ...plan, results: results.map((item) => itemView(item, call.principal.role)) };
    },
  ),
  cycles.listOf(
    'reviewers/',
    'List reviewers of a cycle',
    {
      description:
        'Returns the progress of each reviewer, those with the most undecided items first. An item with several reviewers counts for each of them. `reminded_at` is the time at which an administrator last reminded the reviewer.',
      config: onReplica,
      item: Progress,
    },
    ({ call, found }, page) => listReviewers(call, found.id, page),
  ),
  cycles.one.post(
    'reviewers/:user_id/remind/',
    'Remind a reviewer of undecided items',
    {
      description:
        'Sends a notification to the reviewer, and to the people who review in their place. At most one per reviewer, cycle and hour.',
      params: { user_id: Uuid },
      reply: Reminder,
    },
    ({ call, found, params }) => remindReviewer(call, found.id, params.user_id),
  ),
  cycles.act(
    'decisions/',
    'Decide items of a cycle',
    {
      description:
        'Decides all named items, or none. The decision null makes items of an open cycle undecided again.',
      config: deciding,
      body: Decisions,
    },
    ({ call, found, body }) => {
      const { items, decision, comment = null, only_own = false, at_giver = false } = body;
      return decideItems(call, found.id, {
        items,
        decision,
        comment,
        onlyOwn: only_own,
        atGiver: at_giver,
        withoutDeviations: body.without_deviations ?? false,
      });
    },
  ),
  cycles.one.get(
    'evidence/',
    'Export the evidence of a cycle',
    {
      description:
        'Each decision with the person, the time and the reason, and the result of each revocation.',
      config: onReplica,
      query: { format: Type.Optional(Type.Enum(['json', 'csv'])) },
      reply: { description: 'The cycle and all its items as JSON, or the items as CSV.' },
    },
    async ({ call, found, query: { format = 'json' }, request, reply, tools }) => {
      await recordExport(callOf(tools.db, request), found.id, format);
      reply.header('content-disposition', `attachment; filename="review-${found.id}.${format}"`);
      if (format === 'csv') {
        reply.type('text/csv; charset=utf-8');
        return reply.send(Readable.from(evidenceAsCsv(call, found.id)));
      }
      const cycle = cycleView(await withResults(call, found), call.principal);
      reply.type('application/json; charset=utf-8');
      const head = { cycle, generated_at: new Date() };
      return reply.send(
        Readable.from(evidenceAsJson(call, found.id, head, (item) => itemView(item, call.principal.role))),
      );
    },
  ),
];
