import { Type } from 'typebox';
import { PersonReference, personReference } from '#directory/people/reference.ts';
import { list } from '#kit/http.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { assignmentFilters } from '../filters.ts';
import { candidatesFor, reassignTask } from '../reassign.ts';
import { completeAsPerson, REFUSAL_CODES, refuseAsPerson } from '../report.ts';
import { fulfillmentDetails, listFulfillment } from '../tasks.ts';
import { tasks } from './resource.ts';
import { ListedItem, listedItem, personalForAllApps, reading, tag } from './schemas.ts';

const Completion = Component('FulfillmentReport', {
  account_id: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'Required for create_account: the id, username or email of the account in the app.',
      }),
    ),
  ),
  note: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
});

const Refusal = Component('FulfillmentRefusal', {
  code: Type.Enum([...REFUSAL_CODES]),
  message: Type.String({ minLength: 1, maxLength: 2000, description: 'Shown to administrators.' }),
});

const Reassignment = Component('FulfillmentReassignment', {
  assignee: Uuid,
  reason: Type.String({ minLength: 1, maxLength: 2000 }),
});

const Candidates = Component('FulfillmentCandidates', { results: Type.Array(PersonReference) });

export const taskRoutes = [
  list(
    '/api/fulfillment/tasks/',
    {
      tag,
      config: reading,
      summary: 'List tasks that people carry out',
      description:
        'Open tasks by due date, or ended tasks from the newest. Members see their own tasks and those of the apps that they own.',
      query: assignmentFilters.query,
      item: ListedItem,
      isLong: true,
    },
    async ({ call, query }, page) => {
      const slice = await listFulfillment(call, query, page);
      return { ...slice, results: slice.results.map(listedItem) };
    },
  ),
  tasks.get('Get a task that a person carries out'),
  tasks.act(
    'complete/',
    'Mark a task as done',
    {
      description:
        "Only the task's assignee can. Has the effects and events of a connector's report. Repeating the same report returns the same task.",
      body: Completion,
    },
    async ({ call, found: { task_id }, body: { account_id: accountId = null, note = null } }) => {
      await completeAsPerson(call, task_id, { accountId, note });
      return fulfillmentDetails(call, task_id);
    },
  ),
  tasks.act(
    'refuse/',
    'Refuse a task',
    {
      description: "Only the task's assignee can. The task fails, and is not retried automatically.",
      body: Refusal,
    },
    async ({ call, found: { task_id }, body }) => {
      await refuseAsPerson(call, task_id, body);
      return fulfillmentDetails(call, task_id);
    },
  ),
  tasks.one.post(
    'reassign/',
    'Hand a task to another person',
    {
      body: Reassignment,
      // A member who handed a task over can no longer see it.
      status: 204,
      reply: Type.Null(),
    },
    async ({ call, found, body }) => {
      await reassignTask(call, found.task_id, body);
      return null;
    },
  ),
  tasks.one.get(
    'candidates/',
    'List the people who can take over a task',
    {
      description: 'The present fulfillers of the app, its owner and administrators.',
      config: personalForAllApps,
      reply: Candidates,
    },
    async ({ call, found }) => ({ results: (await candidatesFor(call, found.task_id)).map(personReference) }),
  ),
];
