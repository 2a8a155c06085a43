import { plural, t } from '@lingui/core/macro';
import { Alert, Button, Checkbox, Group, List, Text } from '@mantine/core';
import { useChange } from '../../api/client.ts';
import { Name } from '../../kit/text/name.tsx';
import { type Mapping, type Remark, type Target, type Upload, uploads } from './upload.ts';

interface Props {
  target: Target;
  upload: Upload;
  /** The codes of the remarks that the person has confirmed. */
  confirmed: readonly Remark['code'][];
  setConfirmed: (codes: Remark['code'][]) => void;
}

/** Shows what people should know about a file before they apply it, with the choices that it needs. */
export function Remarks({ target, upload, confirmed, setConfirmed }: Props) {
  const { remarks } = upload;
  const cutOff = remarks.find(({ code }) => code === 'cut_off');
  const hiddenRows = remarks.find(({ code }) => code === 'hidden_rows');
  const columns = remarks.find(({ code }) => code === 'hidden_columns');
  const sheet = remarks.find(({ code }) => code === 'hidden_sheet');
  const lookalikes = remarks.filter(({ code }) => code === 'lookalikes');
  return (
    <>
      {cutOff !== undefined && (
        <Alert color="yellow" mb="md" title={t`The file looks cut off`}>
          <Text size="sm">
            {plural(cutOff.count ?? 0, {
              one: 'The last # account of the last applied upload is missing. Applying the file removes it.',
              other:
                'The last # accounts of the last applied upload are missing. Applying the file removes them.',
            })}
          </Text>
          <Checkbox
            mt="sm"
            label={t`The file is complete`}
            checked={confirmed.includes('cut_off')}
            onChange={({ currentTarget: { checked } }) => setConfirmed(checked ? ['cut_off'] : [])}
          />
        </Alert>
      )}
      {hiddenRows !== undefined && <HiddenRows target={target} upload={upload} remark={hiddenRows} />}
      {columns !== undefined && (
        <Alert color="gray" mb="md" title={t`Hidden columns are imported`}>
          <Names of={columns.names} />
        </Alert>
      )}
      {sheet !== undefined && (
        <Alert color="gray" mb="md" title={t`The workbook hides this sheet`}>
          <Names of={sheet.names} />
        </Alert>
      )}
      {lookalikes.length > 0 && (
        <Alert color="yellow" mb="md" title={t`Names that look alike`}>
          <Text size="sm">{t`Gatehouse treats each of these names as a separate group or license.`}</Text>
          {lookalikes.map(({ names }) => (
            <Names key={names.join('\n')} of={names} />
          ))}
        </Alert>
      )}
    </>
  );
}

/** Whether each remark that needs a confirmation has it. */
export const isConfirmed = ({ remarks }: Upload, confirmed: readonly Remark['code'][]) =>
  remarks.every(({ code, confirm }) => !confirm || confirmed.includes(code));

function HiddenRows({ target, upload, remark }: Pick<Props, 'target' | 'upload'> & { remark: Remark }) {
  const mapping = upload.mapping as Mapping;
  const check = useChange((hidden_rows: 'import' | 'leave_out') =>
    uploads(target).check(upload.upload_id, { ...mapping, hidden_rows }),
  );
  const choice = mapping.hidden_rows;
  const count = remark.count ?? 0;
  return (
    <Alert
      color={remark.confirm ? 'yellow' : 'gray'}
      mb="md"
      title={plural(count, { one: 'The sheet has # hidden row', other: 'The sheet has # hidden rows' })}
    >
      <Text size="sm">
        {choice === 'leave_out'
          ? t`Hidden rows are left out.`
          : choice === 'import'
            ? t`Hidden rows are imported like the others.`
            : t`Someone or a filter has hidden these rows. Choose whether to import them.`}
      </Text>
      <Group gap="xs" mt="sm">
        {choice !== 'import' && (
          <Button
            size="xs"
            variant="default"
            loading={check.isPending && check.variables === 'import'}
            onClick={() => check.mutate('import')}
          >
            {t`Import hidden rows`}
          </Button>
        )}
        {choice !== 'leave_out' && (
          <Button
            size="xs"
            variant="default"
            loading={check.isPending && check.variables === 'leave_out'}
            onClick={() => check.mutate('leave_out')}
          >
            {t`Leave out hidden rows`}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

const Names = ({ of }: { of: readonly string[] }) => (
  <List size="sm" mt="xs" mb={0}>
    {of.map((name) => (
      <List.Item key={name}>
        <Name of={name} />
      </List.Item>
    ))}
  </List>
);
