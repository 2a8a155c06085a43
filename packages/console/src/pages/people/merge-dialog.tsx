import { Alert, Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, api, ok, useChange } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { useBackCloses } from '../../parts/dialog-history.ts';
import { counted, personName } from '../../parts/words.ts';
import classes from './people.module.css';
import { attributeText, labelOf, type Person } from './person.ts';

interface Props {
  /** The person who remains. */
  into: string;
  /** The person who is deactivated. */
  from: string;
  close: () => void;
  /** Exchanges the two. */
  swap?: () => void;
  /** Marks the two as different people. */
  different?: { mark: () => void; busy: boolean };
}

const merge = (into: string, from: string, dryRun: boolean) =>
  ok(
    api.POST('/api/users/{user_id}/merge/', {
      params: { path: { user_id: into }, query: { dry_run: dryRun } },
      body: { from },
    }),
  );
type Merge = Awaited<ReturnType<typeof merge>>;

/** Shows two people side by side with what a merge would move, and merges them. */
export function MergeDialog({ into, from, close, swap, different }: Props) {
  useBackCloses(true, close);
  const plan = useQuery({
    queryKey: ['merge', into, from],
    queryFn: () => merge(into, from, true),
    gcTime: 0,
    retry: false,
  });
  const change = useChange(() => merge(into, from, false), {
    showFailure: false,
    success: ({ from: merged, into: kept }) => `${merged.email} merged into ${kept.email}`,
    after: close,
  });
  const failure = plan.error ?? change.error;
  return (
    <Modal opened onClose={close} title="Merge people" size="xl">
      <Stack gap="sm">
        <Text size="sm">
          Everything that belongs to the second person moves to the first. The second person is deactivated
          for good and hidden from lists. Their API keys are revoked, and they can no longer sign in. This
          cannot be undone.
        </Text>
        {plan.data !== undefined ? <Plan of={plan.data} /> : !plan.isError && <Skeleton height={220} />}
        {failure !== null && (
          <Alert color="red" role="alert">
            {detailOf(failure)}
          </Alert>
        )}
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            {swap !== undefined && (
              <Button variant="default" onClick={swap}>
                Keep the other person
              </Button>
            )}
            {different !== undefined && (
              <Button variant="default" loading={different.busy} onClick={different.mark}>
                Different people
              </Button>
            )}
          </Group>
          <Group gap="xs">
            <Button variant="default" onClick={close}>
              Go back
            </Button>
            <Button
              color="red"
              loading={change.isPending}
              disabled={plan.data === undefined}
              onClick={() => change.mutate(undefined)}
            >
              Merge people
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}

const FIELDS: readonly [string, (person: Answer<'/api/users/{user_id}/'>) => string | null][] = [
  ['Name', (person) => [person.first_name, person.last_name].filter(Boolean).join(' ')],
  ['Email', ({ email }) => email],
  ['Username', ({ username }) => username],
  ['Role', ({ role }) => labelOf(role)],
  ['Start date', ({ start_date }) => start_date],
  ['End date', ({ end_date }) => end_date],
];

function Plan({ of: { into, from, moved } }: { of: Merge }) {
  const names = [...new Set([into, from].flatMap(({ attributes }) => Object.keys(attributes)))].sort();
  const rows = [
    ...FIELDS.map(([name, read]) => [name, read(into), read(from)] as const),
    ...names.map((name) => [name, attribute(into, name), attribute(from, name)] as const),
  ].filter(([, one, other]) => one || other);
  const moves = Object.entries(moved).filter(([, count]) => count > 0);
  return (
    <>
      <div className={classes.comparison}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className={classes.hidden}>Field</span>
              </th>
              <th scope="col">Keep: {personName(into)}</th>
              <th scope="col">Merge and deactivate: {personName(from)}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, one, other]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{one || 'None'}</td>
                <td>{other || 'None'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Text size="sm" fw={600}>
        The merge moves or ends:
      </Text>
      {moves.length === 0 ? (
        <Text size="sm">Nothing moves. The second person is deactivated.</Text>
      ) : (
        <ul className={classes.moves}>
          {moves.map(([kind, count]) => (
            <li key={kind}>{movedWords(kind, count)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The person after the merge already has what was missing. */
const attribute = ({ attributes }: Person, name: string) =>
  attributes[name] === undefined ? null : attributeText(attributes[name]);

const KINDS: Record<string, readonly [string, string?]> = {
  accounts: ['account moves', 'accounts move'],
  owned_accounts: ['service account gets another owner', 'service accounts get another owner'],
  apps: ['app gets another owner or approver', 'apps get another owner or approver'],
  connection_requests: ['connection request moves', 'connection requests move'],
  requests: ['pending request moves', 'pending requests move'],
  canceled_requests: [
    'request is canceled, because both records are the same person',
    'requests are canceled, because both records are the same person',
  ],
  review_items: ['review item moves', 'review items move'],
  reports: ['report gets another manager', 'reports get another manager'],
  tasks: ['open task moves', 'open tasks move'],
  canceled_tasks: ['removal is canceled', 'removals are canceled'],
  absences: ['absence moves', 'absences move'],
  revoked_keys: ['API key is revoked', 'API keys are revoked'],
};

function movedWords(kind: string, count: number): string {
  const [one, many] = KINDS[kind] ?? [kind.replaceAll('_', ' ')];
  return counted(count, one, many ?? one);
}
