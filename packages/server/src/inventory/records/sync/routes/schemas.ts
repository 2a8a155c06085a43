import { Type } from 'typebox';
import { Held } from '#inventory/apps/held.ts';
import { SyncStatus } from '#inventory/apps/sync-status.ts';
import { ReportedUnseen, Unseen, UnseenCounts } from '#inventory/apps/unseen.ts';
import { Component, Nullable, SentenceFields, Timestamp, Uuid } from '#kit/schemas.ts';

const Count = Type.Integer();
const SyncClient = Component('SyncClient', {
  type: Type.Enum(['api_key', 'connector', 'person'], {
    description:
      'api_key: a connector that runs elsewhere. connector: the connector that the server runs for the app. person: somebody who uploads a spreadsheet.',
  }),
  id: { ...Uuid, description: 'The API key, the app of the connector, or the person.' },
  name: Nullable(Type.String({ description: 'Null for an API key that is limited to listed apps.' })),
});
export const SessionView = Component('Sync', {
  sync_id: Uuid,
  status: SyncStatus,
  progress: Type.Array(
    Type.Object({ slug: Type.String(), name: Type.String(), type: Type.String(), synced_count: Count }),
  ),
  error: Type.Optional(Type.Object({ error_code: Type.String(), message: Type.String(), ...SentenceFields })),
  rejected_by: Type.Optional({ ...Uuid, description: 'The person who rejected the held removals.' }),
  approved_by: Type.Optional({ ...Uuid, description: 'The person who approved the held removals.' }),
  superseded_by: Type.Optional(Uuid),
  client: Type.Optional({
    ...SyncClient,
    description: 'The client that started it. Only administrators see it.',
  }),
  superseded_by_client: Type.Optional({
    ...SyncClient,
    description: 'The client that started the session that replaced it. Only administrators see it.',
  }),
  superseded_in_row: Type.Optional(
    Type.Object(
      { count: Count, since: Timestamp },
      {
        description:
          'How many sessions of other clients were discarded in a row up to the start of this one, and since when. Missing if none. Only administrators see it.',
      },
    ),
  ),
  held: Type.Optional(Held),
  withheld: Type.Optional(
    Type.Object(
      { accounts: Count },
      {
        description:
          'The accounts that kept their access although they were pushed as suspended or inactive: the sync was abandoned, and the removal guard allowed no more.',
      },
    ),
  ),
  reverted_at: Type.Optional({ ...Timestamp, description: 'When its changes were reverted.' }),
  reverted_by: Type.Optional(Nullable(Uuid)),
  reverted_reason: Type.Optional(Nullable(Type.String())),
  run_id: Type.Optional({
    ...Uuid,
    description:
      'The connector run that made this sync. Missing if the connector runs elsewhere, or people uploaded a file. Old runs are deleted.',
  }),
  started_at: Timestamp,
  finished_at: Nullable(Timestamp),
  counts: Nullable(Type.Object({ created: Count, updated: Count, unchanged: Count, removed: Count })),
  membership_counts: Nullable(Type.Object({ added: Count, removed: Count })),
  unseen_counts: Type.Optional(UnseenCounts),
  unseen: Type.Optional(
    Type.Array(Unseen, {
      description:
        'The report on what its connector could not see. Missing in lists, and if it reported nothing.',
    }),
  ),
});

export const bridge = { access: { scope: 'bridge', apps: 'listed' } } as const;
export const bridgeTag = 'Bridge: sync';

/** Deciding about held removals (D46): app-scoped keys are refused. */
export const decide = { access: { scope: 'govern', roles: ['owner', 'admin'] } } as const;

export const Completion = Component('SyncCompletion', {
  unseen: Type.Optional(
    Type.Array(ReportedUnseen, {
      maxItems: 10_000,
      description: 'The things that the listing does not show, one entry for each slug, id and rule.',
    }),
  ),
});
