import { Type } from 'typebox';
import { PersonEmail } from '#directory/people/reference.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { TaskItem, taskItem } from '#work/provisioning/routes/schemas.ts';
import { ACTIONS } from '#work/provisioning/task.ts';
import { PLACEHOLDER_NAMES } from '../instructions.ts';
import type { Attachment } from '../queries/attachments.ts';
import { DUE_IN_WORKING_DAYS } from '../settings.ts';
import type { ListedTask, TaskDetails } from '../tasks.ts';

export const tag = 'Fulfillment';
export const reading = { access: { scope: 'read', apps: 'listed' } } as const;
/** A key that now acts for somebody else would hide who carried a task out. */
export const personal = {
  access: { scope: 'govern', roles: ['owner', 'admin', 'member'], apps: 'listed', personal: true },
} as const;
/** App-scoped keys do not read people (D7). */
export const personalForAllApps = {
  access: { scope: 'govern', roles: ['owner', 'admin', 'member'], personal: true },
} as const;

const byAction = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(
  schema: T,
  description: string,
) =>
  Type.Object(
    Object.fromEntries(ACTIONS.map((action) => [action, Type.Optional(schema)])) as Record<
      (typeof ACTIONS)[number],
      ReturnType<typeof Type.Optional<T>>
    >,
    { description },
  );

/** The instructions are plain text. */
export const SettingsItem = Component('FulfillmentSettings', {
  enabled: Type.Boolean({
    description:
      'Whether people carry out the tasks of the app. As long as they do, connectors do not get its pending tasks.',
  }),
  assignment: Type.Enum(['round_robin', 'owner'], {
    description: 'Whether the fulfillers take turns, or the owner of the app gets every task.',
  }),
  people: Type.Array(Uuid, { maxItems: 100, description: 'Fulfillers.' }),
  groups: Type.Array(Uuid, { maxItems: 20, description: 'Groups of people whose members are fulfillers.' }),
  instructions: byAction(
    Type.String({ maxLength: 10_000 }),
    `Plain text for the fulfiller, by action. Placeholders: ${PLACEHOLDER_NAMES.map((name) => `{{${name}}}`).join(', ')}.`,
  ),
  due_in_working_days: byAction(
    Type.Integer({ minimum: 1, maximum: 100 }),
    `Working days until a task is due, by action. Missing actions: ${DUE_IN_WORKING_DAYS}.`,
  ),
  remind_before_working_days: Type.Integer({
    minimum: 0,
    maximum: 30,
    description: 'When the assignee is reminded before the due date. 0: no reminder.',
  }),
  escalate_after_working_days: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Working days after the due date until the owner of the app gets the task. Null: never.',
    }),
  ),
});

export const AttachmentItem = Component('Attachment', {
  external_uuid: Uuid,
  name: Type.String(),
  size: Type.Integer({ description: 'In bytes.' }),
  sha256: Type.String({ description: 'In hexadecimal.' }),
  uploaded_by: PersonEmail,
  uploaded_at: Timestamp,
});

export const attachmentItem = (file: Attachment) => ({ ...file, external_uuid: file.id });

const listedFields = {
  task: TaskItem,
  assignee: Nullable(PersonEmail),
  assigned_at: Timestamp,
  due_at: Timestamp,
  overdue: Type.Boolean(),
  note: Nullable(Type.String()),
  attachments: Type.Integer(),
};

export const ListedItem = Component('FulfillmentTask', listedFields);
export const listedItem = (listed: ListedTask) => ({ ...listed, task: taskItem(listed.task) });

export const DetailsItem = Component('FulfillmentTaskDetails', {
  ...listedFields,
  instructions: Nullable(Type.String({ description: 'Plain text, with the values of this task.' })),
  reassign_reason: Nullable(Type.String()),
  files: Type.Array(AttachmentItem),
  account: Type.Object({
    external_id: Nullable(Type.String()),
    email: Type.String(),
    username: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
  }),
  may: Type.Object(
    { report: Type.Boolean(), reassign: Type.Boolean(), attach: Type.Boolean() },
    { description: 'The actions that the caller may take on the task now.' },
  ),
});

export const detailsItem = (details: TaskDetails) => ({
  ...details,
  task: taskItem(details.task),
  files: details.files.map(attachmentItem),
});
