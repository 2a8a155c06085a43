import { t } from '@lingui/core/macro';
import { Alert, Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, useChange } from '../../api/client.ts';
import { Section } from '../../kit/controls/section.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { type MappedColumn, type Mapping, type Target, type Upload, uploads } from './upload.ts';
import classes from './uploads.module.css';

const NOTHING = 'nothing';
const EMAIL = 'email';
/** Fields that several columns can hold. */
const REPEATABLE = ['groups', 'licenses', 'attribute'];
const STATUSES = [
  { value: 'active', label: t`Active` },
  { value: 'inactive', label: t`Inactive` },
  { value: 'suspended', label: t`Suspended` },
];

const PERSON_STATUSES = [
  { value: 'active', label: t`Active` },
  { value: 'inactive', label: t`Deactivated` },
];

interface Props {
  target: Target;
  upload: Upload;
  again: () => void;
}

/** Chooses what each column holds, and how the file is read. */
export function ColumnsStep({ target, upload, again }: Props) {
  const [mapping, setMapping] = useState<Mapping>(upload.mapping ?? upload.suggestion);
  const match = useMatch(target, mapping);
  const check = useChange(
    () =>
      uploads(target).check(
        upload.upload_id,
        match === undefined ? mapping : { ...mapping, match: match.by },
      ),
    { showFailure: false },
  );
  const set = (column: string, next: MappedColumn | undefined) =>
    setMapping((before) => ({
      ...before,
      columns: [
        ...before.columns.filter(
          (one) => one.column !== column && (next?.field !== one.field || REPEATABLE.includes(one.field)),
        ),
        ...(next === undefined ? [] : [next]),
      ],
    }));
  // A column can be the ID and also another field.
  const of = (column: string) => {
    const held = mapping.columns.filter((one) => one.column === column);
    return held.find(({ field }) => field !== 'id') ?? held[0];
  };
  const grouped = mapping.columns.some(({ field }) => field === 'groups' || field === 'licenses');
  const fileName = upload.file_name;
  return (
    <Section title={t`Columns of ${fileName}`}>
      <Layout target={target} upload={upload} />
      <SinceLast upload={upload} />
      <ChosenId upload={upload} />
      <Stack gap={0} mt="md" maw={760}>
        {upload.columns.map(({ name, samples }) => (
          <div key={name} className={classes.column}>
            <div>
              <div className={classes.name}>{name}</div>
              <div className={classes.samples}>{samples.slice(0, 3).join(' · ') || t`Empty`}</div>
            </div>
            <Stack gap="xs">
              <Select
                aria-label={t`Field of ${name}`}
                data={[{ value: NOTHING, label: t`Leave out` }, ...target.fields]}
                value={of(name)?.field ?? NOTHING}
                allowDeselect={false}
                onChange={(field) =>
                  set(name, field === null || field === NOTHING ? undefined : { column: name, field })
                }
              />
              <Details target={target} column={of(name)} set={(next) => set(name, next)} />
              {target.kind === 'accounts' && (
                <AlsoId column={of(name)} mapping={mapping} setMapping={setMapping} />
              )}
              {of(name)?.field === 'status' && (
                <StatusValues
                  choices={target.kind === 'accounts' ? STATUSES : PERSON_STATUSES}
                  samples={[...samples, ...unknownIn(upload, name)]}
                  mapping={mapping}
                  setMapping={setMapping}
                />
              )}
            </Stack>
          </div>
        ))}
      </Stack>
      <TypeOf
        label={t`Resource type of the accounts`}
        types={typesOf(target, 'account')}
        slug={mapping.account_type}
        set={(slug) => setMapping((before) => ({ ...before, account_type: slug }))}
      />
      {match !== undefined && match.choices.length > 1 && (
        <Select
          mt="md"
          maw={360}
          label={t`People are found by`}
          description={t`An attribute that says who somebody is, such as an employee number, finds people whose email has changed.`}
          data={match.choices}
          value={match.by}
          allowDeselect={false}
          onChange={(by) => by !== null && setMapping((before) => ({ ...before, match: by }))}
        />
      )}
      {grouped && (
        <Checkbox
          mt="md"
          label={t`Rows with the same ID are one account`}
          description={t`For files with one row for each group or license of an account.`}
          checked={mapping.merge_rows === true}
          onChange={({ currentTarget: { checked } }) =>
            setMapping((before) => ({ ...before, merge_rows: checked }))
          }
        />
      )}
      <Stack mt="md" maw={760}>
        <FormFailure of={check.error} />
      </Stack>
      <Group gap="xs" mt="md">
        <Button
          loading={check.isPending}
          disabled={target.kind === 'people' && match === undefined}
          onClick={() => check.mutate(undefined)}
        >
          {t`Check rows`}
        </Button>
        <Button variant="default" onClick={again}>
          {t`Choose another file`}
        </Button>
      </Group>
    </Section>
  );
}

/** By what a file of people finds them, and the other choices: the email, or a column that becomes an attribute. */
function useMatch({ kind }: Target, { columns, match }: Mapping) {
  const organization = useQuery({ ...get('/api/organization/'), enabled: kind === 'people' });
  if (kind !== 'people' || organization.data === undefined) return undefined;
  const attributes = columns.filter(({ field }) => field === 'attribute').map(({ column }) => column);
  const by = [match, organization.data.person_key].find((one) => one != null && attributes.includes(one));
  return {
    by: match === EMAIL ? EMAIL : (by ?? EMAIL),
    choices: [{ value: EMAIL, label: t`Email` }, ...attributes.map((value) => ({ value, label: value }))],
  };
}

interface Mapped {
  mapping: Mapping;
  setMapping: (change: (before: Mapping) => Mapping) => void;
}

/** Offers the email or the username as the ID, for files without a column of IDs. */
function AlsoId({ column, mapping, setMapping }: Mapped & { column: MappedColumn | undefined }) {
  if (column?.field !== 'email' && column?.field !== 'username') return null;
  const id = mapping.columns.find(({ field }) => field === 'id')?.column;
  if (id !== undefined && id !== column.column) return null;
  return (
    <Checkbox
      label={t`Also the ID of the account`}
      description={t`For files without a column of IDs.`}
      checked={id !== undefined}
      onChange={({ currentTarget: { checked } }) =>
        setMapping((before) => ({
          ...before,
          columns: [
            ...before.columns.filter(({ field }) => field !== 'id'),
            ...(checked ? [{ column: column.column, field: 'id' }] : []),
          ],
        }))
      }
    />
  );
}

const typesOf = ({ types = [] }: Target, kind: string) => types.filter(({ type }) => type === kind);

/** Chooses a resource type of the app, if there is a choice. */
function TypeOf({
  label,
  types,
  slug,
  set,
}: {
  label: string;
  types: readonly { slug: string; name: string }[];
  slug: string | undefined;
  set: (slug: string) => void;
}) {
  if (types.length < 2) return null;
  return (
    <Select
      label={label}
      data={types.map((type) => ({ value: type.slug, label: type.name }))}
      value={slug ?? types[0]?.slug ?? null}
      allowDeselect={false}
      maw={360}
      mt="xs"
      onChange={(value) => value !== null && set(value)}
    />
  );
}

/** The resource type of a column of groups or licenses, and the separator if its cells name several. */
function Details({
  target,
  column,
  set,
}: {
  target: Target;
  column: MappedColumn | undefined;
  set: (next: MappedColumn) => void;
}) {
  if (column === undefined || (column.field !== 'groups' && column.field !== 'licenses')) return null;
  const { separator, ...rest } = column;
  return (
    <>
      <TypeOf
        label={t`Resource type`}
        types={typesOf(target, column.field === 'groups' ? 'group' : 'license')}
        slug={column.slug}
        set={(slug) => set({ ...column, slug })}
      />
      <TextInput
        label={t`Separator in a cell`}
        description={t`Empty if a cell names one only.`}
        value={separator ?? ''}
        maxLength={3}
        onChange={({ currentTarget: { value } }) => set(value === '' ? rest : { ...rest, separator: value })}
      />
    </>
  );
}

/** The values of a status column that the check did not recognize. */
const unknownIn = ({ problems }: Upload, name: string) =>
  problems.filter(({ column, value }) => column === name && value !== '').map(({ value }) => value);

/** Asks what the values of a status column stand for. */
function StatusValues({
  samples,
  choices,
  mapping,
  setMapping,
}: Mapped & { samples: string[]; choices: { value: string; label: string }[] }) {
  const values = [...new Set([...samples, ...Object.keys(mapping.statuses ?? {})])];
  return values.map((value) => (
    <Select
      key={value}
      size="xs"
      label={t`"${value}" means`}
      placeholder={t`Automatic`}
      data={choices}
      value={mapping.statuses?.[value] ?? null}
      clearable
      onChange={(status) =>
        setMapping(({ statuses = {}, ...before }) => {
          const { [value]: _, ...others } = statuses;
          return {
            ...before,
            statuses: status === null ? others : { ...others, [value]: status as 'active' },
          };
        })
      }
    />
  ));
}

const ENCODINGS = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'windows-1252', label: t`Windows-1252 (Western Europe)` },
  { value: 'utf-16le', label: t`UTF-16 LE` },
  { value: 'utf-16be', label: t`UTF-16 BE` },
  { value: 'windows-1250', label: t`Windows-1250 (Central Europe)` },
  { value: 'windows-1251', label: t`Windows-1251 (Cyrillic)` },
  { value: 'windows-1253', label: t`Windows-1253 (Greek)` },
  { value: 'windows-1254', label: t`Windows-1254 (Turkish)` },
  { value: 'windows-1255', label: t`Windows-1255 (Hebrew)` },
  { value: 'windows-1256', label: t`Windows-1256 (Arabic)` },
  { value: 'windows-1257', label: t`Windows-1257 (Baltic)` },
  { value: 'windows-1258', label: t`Windows-1258 (Vietnamese)` },
  { value: 'iso-8859-2', label: t`ISO-8859-2 (Central Europe)` },
  { value: 'iso-8859-15', label: t`ISO-8859-15 (Western Europe)` },
  { value: 'macintosh', label: t`Macintosh (Western Europe)` },
  { value: 'shift_jis', label: t`Shift JIS (Japanese)` },
  { value: 'gb18030', label: t`GB18030 (Chinese)` },
  { value: 'big5', label: t`Big5 (Chinese)` },
  { value: 'euc-kr', label: t`EUC-KR (Korean)` },
];
const SEPARATORS = [
  { value: ',', label: t`Comma` },
  { value: ';', label: t`Semicolon` },
  { value: '\t', label: t`Tab` },
  { value: '|', label: t`Vertical bar` },
];

/** How the file is read: detected, and changeable. */
function Layout({ target, upload }: Pick<Props, 'target' | 'upload'>) {
  const { encoding, separator, sheet, sheets } = upload;
  const read = useChange((options: object) => uploads(target).read(upload.upload_id, options));
  return (
    <Group gap="sm" align="end">
      {upload.format === 'csv' ? (
        <>
          <Select
            label={t`Encoding`}
            data={ENCODINGS}
            value={encoding}
            allowDeselect={false}
            disabled={read.isPending}
            onChange={(value) => read.mutate({ encoding: value, separator })}
          />
          <Select
            label={t`Separator`}
            data={SEPARATORS}
            value={separator}
            allowDeselect={false}
            disabled={read.isPending}
            onChange={(value) => read.mutate({ encoding, separator: value })}
          />
        </>
      ) : (
        <Select
          label={t`Sheet`}
          data={sheets}
          value={sheet}
          allowDeselect={false}
          disabled={read.isPending}
          onChange={(value) => read.mutate({ sheet: value })}
        />
      )}
    </Group>
  );
}

/** Says which column was chosen as the ID, and why. */
function ChosenId({ upload: { id_choice: choice, mapping } }: Pick<Props, 'upload'>) {
  if (choice === null || mapping !== null) return null;
  return (
    <Text size="sm" mt="sm" role="status">
      {reasonOf(choice)}{' '}
      {t`The ID tells accounts apart: a changed value is a new account. If another column identifies them, choose ID for it.`}
    </Text>
  );
}

function reasonOf({ column, why }: NonNullable<Upload['id_choice']>): string {
  switch (why) {
    case 'named':
      return t`${column} is the ID: the file calls it one, and each row has a value of its own.`;
    case 'distinct':
      return t`${column} is the ID: each row has a value of its own.`;
    case 'only_named':
      return t`${column} is the ID because the file calls it one, although values are missing or repeated.`;
    case 'needed':
      return t`${column} is the ID because no column has a value of its own in each row. Fill in what is missing or repeated.`;
  }
}

function SinceLast({ upload: { since_last: since } }: Pick<Props, 'upload'>) {
  if (since === null) return null;
  const { added, missing } = since;
  const addedColumns = added.join(', ');
  const missingColumns = missing.join(', ');
  if (added.length === 0 && missing.length === 0)
    return (
      <Text size="sm" mt="sm" c="dimmed">
        {t`The columns are those of the last upload.`}
      </Text>
    );
  return (
    <Alert mt="sm" color="yellow" title={t`The columns differ from those of the last upload`}>
      {added.length > 0 && <div>{t`New: ${addedColumns}`}</div>}
      {missing.length > 0 && <div>{t`Missing: ${missingColumns}`}</div>}
    </Alert>
  );
}
