import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useChange } from '../../api/client.ts';
import { useAddress } from '../../parts/address.ts';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { counted } from '../../parts/words.ts';
import { ColumnsStep } from './columns-step.tsx';
import { FileStep } from './file-step.tsx';
import { Problems } from './problems.tsx';
import { uploadSearch } from './search.ts';
import { type Target, type Upload, uploads, useUpload } from './upload.ts';

interface Props {
  target: Target;
  /** The changes that applying the upload would make. */
  plan: (upload: Upload) => ReactNode;
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

function Steps({ target, plan, done, id, again }: Props & { id: string; again: () => void }) {
  const { data: upload, isError, error } = useUpload(target, id);
  if (upload === undefined)
    return isError ? (
      <>
        <Failure error={error} />
        <Button mt="md" onClick={again}>
          Choose another file
        </Button>
      </>
    ) : (
      <Loader size="sm" />
    );
  switch (upload.status) {
    case 'checking':
      return (
        <Section title="Checking the rows">
          <Text role="status">
            <Loader size="xs" mr="xs" />
            Gatehouse checks every row of {upload.file_name}. You can leave this page and come back.
          </Text>
        </Section>
      );
    case 'planned':
      return <PlanStep target={target} upload={upload} plan={plan} again={again} />;
    case 'applied':
      return (
        <Section title="Done">
          <Text role="status" mb="md">
            {upload.file_name} was applied with {counted(upload.rows ?? 0, 'row')}. The next upload suggests
            the same columns.
          </Text>
          <Group gap="xs">
            {done(upload)}
            <Button variant="default" onClick={again}>
              Upload another file
            </Button>
          </Group>
        </Section>
      );
    case 'discarded':
      return (
        <Section title="Discarded">
          <Text mb="md">The upload was discarded. Nothing was changed.</Text>
          <Button onClick={again}>Choose another file</Button>
        </Section>
      );
    default:
      return (
        <>
          {upload.status === 'failed' && (
            <Alert color="red" role="alert" mb="md" title="The rows could not be checked">
              {upload.error}
            </Alert>
          )}
          {upload.status === 'invalid' && <Problems target={target} upload={upload} />}
          <ColumnsStep key={upload.updated_at} target={target} upload={upload} again={again} />
        </>
      );
  }
}

const validWords = (rows: number) => (rows === 1 ? 'The only row' : `All ${counted(rows, 'row')}`);

function PlanStep({
  target,
  upload,
  plan,
  again,
}: Pick<Props, 'target' | 'plan'> & { upload: Upload; again: () => void }) {
  const apply = useChange(() => uploads(target).apply(upload.upload_id), { showFailure: false });
  const discard = useChange(() => uploads(target).discard(upload.upload_id), {
    success: 'Upload discarded',
    after: again,
  });
  return (
    <>
      <Text mb="md" role="status">
        {validWords(upload.rows ?? 0)} of {upload.file_name} {upload.rows === 1 ? 'is' : 'are'} valid. Nothing
        has been changed yet. An upload that is not applied is discarded after a day.
      </Text>
      {apply.isError && (
        <div>
          <Failure error={apply.error} />
        </div>
      )}
      <Group gap="xs" my="md">
        <Button loading={apply.isPending} onClick={() => apply.mutate(undefined)}>
          Apply changes
        </Button>
        <Button variant="default" loading={discard.isPending} onClick={() => discard.mutate(undefined)}>
          Discard
        </Button>
      </Group>
      {plan(upload)}
    </>
  );
}
