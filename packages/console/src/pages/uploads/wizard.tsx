import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Failure } from '../../kit/controls/failure.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { serverText } from '../../language/server-text.ts';
import { ColumnsStep } from './columns-step.tsx';
import { FileStep } from './file-step.tsx';
import { Problems } from './problems.tsx';
import { isConfirmed, Remarks } from './remarks.tsx';
import { uploadSearch } from './search.ts';
import { type Remark, type Target, type Upload, uploads, useUpload } from './upload.ts';

interface Props {
  target: Target;
  /** The changes that applying the upload would make. */
  plan: (upload: Upload) => ReactNode;
  /** The consequences of applying it. */
  after: (upload: Upload) => ReactNode;
  /** Where to see what it has changed. */
  done: (upload: Upload) => ReactNode;
}

/** Uploads a spreadsheet in steps: file, columns, problems of its rows, plan, and done. */
export function UploadWizard(props: Props) {
  const [{ upload }, go] = useAddress(uploadSearch);
  const open = (id?: string) => go({ upload: id, q: undefined, of: undefined });
  return upload === undefined ? (
    <FileStep target={props.target} open={open} />
  ) : (
    <Steps key={upload} {...props} id={upload} again={() => open()} />
  );
}

function Steps({ target, plan, after, done, id, again }: Props & { id: string; again: () => void }) {
  const { data: upload, isError, error } = useUpload(target, id);
  if (upload === undefined)
    return isError ? (
      <>
        <Failure error={error} />
        <Button mt="md" onClick={again}>
          {t`Choose another file`}
        </Button>
      </>
    ) : (
      <Loader size="sm" />
    );
  const fileName = upload.file_name;
  const rows = upload.rows ?? 0;
  switch (upload.status) {
    case 'checking':
      return (
        <Section title={t`Checking the rows`}>
          <Text role="status">
            <Loader size="xs" mr="xs" />
            {t`Gatehouse checks every row of ${fileName}. You can leave this page and come back.`}
          </Text>
        </Section>
      );
    case 'planned':
      return <PlanStep target={target} upload={upload} plan={plan} again={again} />;
    case 'applied':
      return (
        <Section title={t`Done`}>
          <Text role="status" mb="md">
            <Trans>
              {fileName} was applied with <Plural value={rows} one="# row" other="# rows" />. The next upload
              suggests the same columns.
            </Trans>
          </Text>
          {after(upload)}
          <Group gap="xs">
            {done(upload)}
            <Button variant="default" onClick={again}>
              {t`Upload another file`}
            </Button>
          </Group>
        </Section>
      );
    case 'discarded':
      return (
        <Section title={t`Discarded`}>
          <Text mb="md">{t`The upload was discarded. Nothing was changed.`}</Text>
          <Button onClick={again}>{t`Choose another file`}</Button>
        </Section>
      );
    default:
      return (
        <>
          {upload.status === 'failed' && (
            <Alert color="red" role="alert" mb="md" title={t`The rows could not be checked`}>
              {serverText({ code: upload.error_code, values: upload.error_values, text: upload.error ?? '' })}
            </Alert>
          )}
          {upload.status === 'invalid' && <Problems target={target} upload={upload} />}
          <ColumnsStep key={upload.updated_at} target={target} upload={upload} again={again} />
        </>
      );
  }
}

function PlanStep({
  target,
  upload,
  plan,
  again,
}: Pick<Props, 'target' | 'plan'> & { upload: Upload; again: () => void }) {
  const fileName = upload.file_name;
  const rows = upload.rows ?? 0;
  const [confirmed, setConfirmed] = useState<Remark['code'][]>([]);
  const apply = useChange(() => uploads(target).apply(upload.upload_id, confirmed), { showFailure: false });
  const discard = useChange(() => uploads(target).discard(upload.upload_id), {
    success: t`Upload discarded`,
    after: again,
  });
  return (
    <>
      <Text mb="md" role="status">
        {plural(rows, {
          one: `The only row of ${fileName} is valid.`,
          other: `All # rows of ${fileName} are valid.`,
        })}{' '}
        {t`Nothing has been changed yet. An upload that is not applied is discarded after a day.`}
      </Text>
      {apply.isError && (
        <div>
          <Failure error={apply.error} />
        </div>
      )}
      <Remarks target={target} upload={upload} confirmed={confirmed} setConfirmed={setConfirmed} />
      <Group gap="xs" my="md">
        <Button
          loading={apply.isPending}
          disabled={!isConfirmed(upload, confirmed)}
          onClick={() => apply.mutate(undefined)}
        >
          {t`Apply changes`}
        </Button>
        <Button variant="default" loading={discard.isPending} onClick={() => discard.mutate(undefined)}>
          {t`Discard`}
        </Button>
      </Group>
      {plan(upload)}
    </>
  );
}
