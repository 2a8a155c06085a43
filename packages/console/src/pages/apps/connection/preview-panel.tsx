import { plural, t } from '@lingui/core/macro';
import { Alert, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { Empty } from '../../../kit/controls/empty.tsx';
import * as column from '../../../kit/table/columns.tsx';
import { type Column, TableView } from '../../../kit/table/table-view.tsx';
import { grouped } from '../../../kit/text/words.ts';
import { type PreviewType, previewTypes } from './connector.ts';
import { settingLabel } from './labels.ts';
import { columnNames, recordWords } from './record-words.ts';
import { useTrial } from './trial.ts';
import { TrialFrame } from './trial-frame.tsx';

type Row = PreviewType['records'][number];

/** Shows the first records of each resource type as a sync would push them. */
export function PreviewPanel({ appId }: { appId: string }) {
  const trial = useTrial(appId, 'preview');
  const types = previewTypes(trial.run?.result ?? null);
  return (
    <TrialFrame trial={trial} first={t`Show preview`} again={t`Preview again`} failed={t`The preview failed`}>
      {types.length > 0 && <Records types={types} />}
    </TrialFrame>
  );
}

function Records({ types }: { types: readonly PreviewType[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = types.find(({ slug }) => slug === chosen) ?? types[0];
  if (shown === undefined) return null;
  const { name: shownName } = shown;
  const rows = shown.records.map((record, at) => ({ ...record, '': at }));
  return (
    <Tabs value={shown.slug} onChange={setChosen}>
      <Tabs.List mb="sm">
        {types.map(({ slug, name, records, more, skipped }) => (
          <Tabs.Tab key={slug} value={slug}>
            {tabName(name, `${grouped(records.length)}${more ? '+' : ''}`, skipped.length)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={shown.slug}>
        {shown.skipped.length > 0 && (
          <Alert
            color="yellow"
            mb="sm"
            title={plural(shown.skipped.length, { one: '# record skipped', other: '# records skipped' })}
          >
            <ul>
              {shown.skipped.map(({ id, reason }) => (
                <li key={id}>
                  <code>{id}</code>: {reason}
                </li>
              ))}
            </ul>
          </Alert>
        )}
        <TableView
          label={t`First records of ${shownName}`}
          columns={columnsOf(shown.records)}
          rows={rows}
          rowId={(row) => String(row[''])}
          empty={<Empty title={t`No records`} />}
        />
        {shown.more && (
          <Text size="sm" c="dimmed" mt="xs">
            {t`The system has more records than these.`}
          </Text>
        )}
      </Tabs.Panel>
    </Tabs>
  );
}

const tabName = (name: string, count: string, skipped: number) =>
  skipped === 0
    ? t`${name} (${count})`
    : t`${name} (${count}, ${plural(skipped, { one: '# skipped', other: '# skipped' })})`;

function columnsOf(records: readonly Row[]): Column<Row>[] {
  return columnNames(records).map((name) =>
    column.cell(name, settingLabel(name), (record) => recordWords(record[name])),
  );
}
