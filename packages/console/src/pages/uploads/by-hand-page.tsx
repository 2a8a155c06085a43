import { plural, t } from '@lingui/core/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { get, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { useUnsaved } from '../../kit/form/unsaved.ts';
import { serverText } from '../../language/server-text.ts';
import type { App } from '../apps/app.ts';
import { AccountsGrid } from './accounts-grid.tsx';
import {
  cellKey,
  emptyRow,
  fileOf,
  filledRows,
  type GridColumn,
  type GridRow,
  MOST_ROWS,
  pasted,
  problemsByCell,
  withEmptyRow,
} from './grid.ts';
import { uploads, uploadsOf, useUpload } from './upload.ts';

/** Enters the accounts of an app by hand. They become an upload, which shows what it would change. */
export function ByHandPage() {
  const { appId } = useParams({ from: '/in/apps/$appId/accounts' });
  const { manages } = useMe();
  const app = useQuery(get('/api/apps/{app_id}/', { path: { app_id: appId } }));
  return (
    <>
      <PageHeader
        title={t`Enter accounts by hand`}
        above={
          <TextLink to="/apps/$appId" params={{ appId }}>
            {app.data?.name ?? t`App`}
          </TextLink>
        }
      />
      {app.isError && app.data === undefined && <Failure error={app.error} />}
      {!manages && (
        <Empty title={t`Your role does not allow this`}>
          {t`Only owners and administrators can enter accounts.`}
        </Empty>
      )}
      {manages && app.data && <Entry app={app.data} />}
    </>
  );
}

function Entry({ app }: { app: App }) {
  const appId = app.external_uuid;
  if (app.last_synced_at === null) return <Grid appId={appId} />;
  return (
    <Empty
      title={t`This app already has accounts`}
      actions={
        <ButtonLink to="/apps/$appId/upload" params={{ appId }}>
          {t`Upload a spreadsheet`}
        </ButtonLink>
      }
    >
      {t`A list entered here would remove every account that it lacks. Upload a spreadsheet with all accounts instead.`}
    </Empty>
  );
}

const START = Array.from({ length: 5 }, emptyRow);

function Grid({ appId }: { appId: string }) {
  const [rows, setRows] = useState<readonly GridRow[]>(START);
  const { check, upload, problems, edited } = useCheck(appId, rows);
  const [isFull, setFull] = useState(false);
  const filled = filledRows(rows).length;
  const wrong = problems.size;
  const saved = useUnsaved(filled > 0 && upload?.status !== 'planned');
  const navigate = useNavigate();
  const planned = upload?.status === 'planned' ? upload.upload_id : undefined;
  const left = useRef(false);
  useEffect(() => {
    if (planned === undefined || left.current) return;
    left.current = true;
    saved();
    void navigate({ to: '/apps/$appId/upload', params: { appId }, search: { upload: planned } });
  }, [planned, appId, navigate, saved]);
  const set = (at: number, column: GridColumn, value: string) => {
    edited(cellKey(at, column));
    setRows((before) =>
      withEmptyRow(before.map((row, one) => (one === at ? { ...row, [column]: value } : row))),
    );
  };
  const paste = (at: number, column: GridColumn, text: string) => {
    // The browser pastes into one cell.
    if (!/[\t\r\n]/.test(text.trim())) return false;
    const next = pasted(rows, { at, column }, text);
    setFull(next === undefined);
    if (next === undefined) return true;
    edited();
    setRows(next);
    return true;
  };
  const remove = (at: number) => {
    edited();
    setRows((before) => withEmptyRow(before.filter((_, one) => one !== at)));
  };
  return (
    <>
      <Text size="sm" mb="sm" maw={760}>
        {t`Type the accounts, or paste them from a spreadsheet. The email identifies an account, or the name if there is no email. Separate several groups or licenses with a semicolon.`}
      </Text>
      {isFull && (
        <Alert color="yellow" role="alert" mb="sm">
          {t`The list holds ${MOST_ROWS} rows, so nothing was pasted.`}{' '}
          <TextLink to="/apps/$appId/upload" params={{ appId }}>
            {t`Upload a spreadsheet`}
          </TextLink>
        </Alert>
      )}
      <Stack mb="sm">
        <FormFailure of={check.error} />
        {upload?.status === 'failed' && (
          <FormFailure
            of={serverText({
              code: upload.error_code,
              values: upload.error_values,
              text: upload.error ?? '',
            })}
          />
        )}
        {wrong > 0 && (
          <Alert color="red" role="alert">
            {plural(wrong, {
              one: 'Correct # cell, then check the rows again.',
              other: 'Correct # cells, then check the rows again.',
            })}
          </Alert>
        )}
      </Stack>
      <AccountsGrid {...{ rows, problems, set, paste, remove }} />
      <Group gap="xs" mt="md">
        <Button
          disabled={filled === 0}
          loading={check.isPending || upload?.status === 'checking'}
          onClick={() => check.mutate(undefined)}
        >
          {t`Check rows`}
        </Button>
      </Group>
    </>
  );
}

/** Checks the rows as an upload, which replaces the one that was checked before. A cell's problem ends when the cell is edited. */
function useCheck(appId: string, rows: readonly GridRow[]) {
  const target = uploadsOf(appId);
  const [sent, setSent] = useState<{ id: string; rows: readonly GridRow[] }>();
  const [edits, setEdits] = useState<ReadonlySet<string> | 'all'>(new Set());
  const upload = useUpload(target, sent?.id).data;
  const check = useChange(
    async () => {
      const { file, mapping } = fileOf(rows, `${t`Entered by hand`}.csv`);
      const { create, check: start, discard } = uploads(target);
      if (sent !== undefined) await discard(sent.id);
      setSent(undefined);
      const { upload_id: id } = await create(file);
      setSent({ id, rows });
      setEdits(new Set());
      await start(id, mapping);
    },
    { showFailure: false },
  );
  const found =
    sent === undefined || edits === 'all' || upload?.status !== 'invalid'
      ? []
      : [...problemsByCell(sent.rows, upload.problems)].filter(([cell]) => !edits.has(cell));
  /** Without a cell, all rows may have moved. */
  const edited = (cell?: string) =>
    setEdits((before) => (cell === undefined || before === 'all' ? 'all' : new Set(before).add(cell)));
  return { check, upload, problems: new Map(found), edited };
}
