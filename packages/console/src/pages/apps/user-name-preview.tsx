import { t } from '@lingui/core/macro';
import { Skeleton, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, ok } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { useMe } from '../../api/me.ts';
import type { paths } from '../../api/schema.ts';
import * as column from '../../kit/table/columns.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import { personColumn } from '../../people/person-columns.tsx';
import type { App } from './app.ts';

type Preview = paths['/api/apps/{app_id}/user-name/preview/']['post']['responses'];
type Row = Preview[200]['content']['application/json']['results'][number];

const TYPING_MS = 400;
const SHOWN = 5;
const SKELETON_HEIGHT = 160;

const columns: Column<Row>[] = [
  personColumn('person', t`Person`, ({ user }) => user),
  column.name('name', t`Username`),
  column.cell('note', t`Note`, noteOn),
];

/** Says why a name has a number, or that the system does not accept it. */
function noteOn({ fits, taken_by: holder }: Row): string {
  if (!fits) return t`The system does not accept this name`;
  if (holder === null) return '';
  const email = holder.user?.email;
  return email === undefined ? t`The first choice is taken` : t`The first choice belongs to ${email}`;
}

/** The usernames that people without an account would get with a rule. Asks the server whenever typing pauses. */
export function UserNamePreview({ app, rule }: { app: App; rule: App['user_name'] }) {
  const { manages } = useMe();
  const [user_name] = useDebouncedValue(rule, TYPING_MS);
  const isComplete = user_name === null || user_name.from === 'user_name' || !!user_name[user_name.from];
  const path = { app_id: app.external_uuid };
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['user-name-preview', app.external_uuid, user_name],
    queryFn: ({ signal }) => {
      const body = { user_name, limit: SHOWN };
      return ok(api.POST('/api/apps/{app_id}/user-name/preview/', { params: { path }, body, signal }));
    },
    enabled: manages && isComplete,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!manages || !isComplete) return null;
  return (
    <>
      <div role="status">
        {error !== null ? (
          <Text size="sm" c="var(--mantine-color-error)">
            {detailOf(error)}
          </Text>
        ) : (
          data !== undefined && <About rows={data.results} />
        )}
      </div>
      {error === null &&
        (data === undefined ? (
          <Skeleton height={SKELETON_HEIGHT} />
        ) : (
          data.results.length > 0 && (
            <TableView
              label={t`Preview of usernames`}
              columns={columns}
              rows={data.results}
              rowId={({ user }) => user.external_uuid}
              stale={isPlaceholderData}
              empty=""
            />
          )
        ))}
    </>
  );
}

const About = ({ rows }: { rows: readonly Row[] }) =>
  rows.length === 0 ? (
    <Text size="sm">{t`The preview shows active people. The organization has none yet.`}</Text>
  ) : (
    <Text size="sm">{t`New accounts of these people would get these usernames.`}</Text>
  );
