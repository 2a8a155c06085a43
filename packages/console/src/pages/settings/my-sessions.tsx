import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, api, get, ok, useChange } from '../../api/client.ts';
import { Failure } from '../../kit/controls/failure.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import * as column from '../../kit/table/columns.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';

type Session = Answer<'/auth/sessions/'>['results'][number];

const METHODS: Record<string, string> = {
  password: t`Password`,
  passkey: t`Passkey`,
  oidc: t`Provider`,
  saml: t`Provider`,
};

function methodOf({ method, provider, second_factor }: Session): string {
  const word = METHODS[method] ?? method;
  if (provider !== null) return t`Provider ${provider}`;
  return second_factor ? t`${word} and second factor` : word;
}

/** "Firefox on Linux" */
function browserOf(userAgent: string | null): string {
  const agent = userAgent ?? '';
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(agent)?.[1];
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(agent)?.[1];
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' };
  const parts = [browser, system].flatMap((word) => (word === undefined ? [] : [names[word] ?? word]));
  const [only = agent.slice(0, 40) || t`Unknown`, on] = parts;
  return on === undefined ? only : t`${only} on ${on}`;
}

const columns: Column<Session>[] = [
  column.cell('browser', t`Browser`, ({ user_agent }) => (
    <span title={user_agent ?? ''}>{browserOf(user_agent)}</span>
  )),
  column.text('ip', t`IP address`),
  column.cell('method', t`Method`, methodOf),
  column.moment('created_at', t`Signed in`),
  column.moment('last_used_at', t`Last used`),
  column.moment('expires_at', t`Expires`),
  column.cell('end', t`Actions`, (session) =>
    session.current ? <Status of="current" look="good" word={t`This session`} /> : <End of={session} />,
  ),
];

/** The person's sessions. */
export function MySessions() {
  const sessions = useQuery(get('/auth/sessions/'));
  return (
    <Section title={t`Sessions`}>
      {sessions.isLoadingError ? (
        <Failure error={sessions.error} again={() => void sessions.refetch()} />
      ) : (
        <TableView label={t`Sessions`} columns={columns} rows={sessions.data?.results} empty={null} />
      )}
    </Section>
  );
}

function End({ of: { id, user_agent } }: { of: Session }) {
  const end = useChange(
    () => ok(api.DELETE('/auth/sessions/{session_id}/', { params: { path: { session_id: id } } })),
    { success: t`Session ended` },
  );
  const browser = browserOf(user_agent);
  return (
    <Button
      variant="subtle"
      color="red"
      size="compact-xs"
      aria-label={t`End session: ${browser}`}
      loading={end.isPending}
      onClick={() => end.mutate(undefined)}
    >
      {t`End session`}
    </Button>
  );
}
