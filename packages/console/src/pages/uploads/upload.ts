import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { personAttributes } from '../../../../protocol/src/person-attributes.ts';
import { base, send } from '../../api/base.ts';
import type { Answer } from '../../api/client.ts';
import { fieldTitle } from '../../kit/text/field-words.ts';
import { detailHeaders } from '../accounts/account-details.tsx';

export type Upload = Answer<'/api/apps/{app_id}/uploads/{upload_id}/'>;
export type Mapping = Upload['suggestion'];
export type MappedColumn = Mapping['columns'][number];
export type Remark = Upload['remarks'][number];

/** The uploads of an app, or those of people: both have the same operations. */
export interface Target {
  /** "/api/users/uploads/" */
  path: string;
  kind: 'accounts' | 'people';
  /** The fields that a column can hold, with their labels. */
  fields: readonly { value: string; label: string }[];
  /** The resource types of the app. */
  types?: readonly { slug: string; name: string; type: string }[];
}

async function request<T>(method: string, path: string, body?: Blob | object): Promise<T> {
  const isFile = body instanceof Blob;
  const response = await send(
    new Request(`${location.origin}${base}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : {
            body: isFile ? body : JSON.stringify(body),
            headers: { 'content-type': isFile ? 'application/octet-stream' : 'application/json' },
          }),
    }),
  );
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** The operations of an upload. */
export const uploads = ({ path }: Target) => ({
  create: (file: File) => request<Upload>('POST', `${path}?file_name=${encodeURIComponent(file.name)}`, file),
  get: (id: string) => request<Upload>('GET', `${path}${id}/`),
  read: (id: string, options: object) => request<Upload>('POST', `${path}${id}/read/`, options),
  check: (id: string, mapping: Mapping) => request<Upload>('POST', `${path}${id}/check/`, { mapping }),
  apply: (id: string, confirm: readonly Remark['code'][]) =>
    request<Upload>('POST', `${path}${id}/apply/`, { confirm }),
  discard: (id: string) => request<undefined>('DELETE', `${path}${id}/`),
  sampleAddress: (format: 'csv' | 'xlsx') => `${base}${path}sample/?format=${format}`,
  problemsAddress: (id: string) => `${base}${path}${id}/problems/`,
});

/** The address of the uploads of an app. */
export const uploadsOf = (appId: string): Target => ({
  path: `/api/apps/${appId}/uploads/`,
  kind: 'accounts',
  fields: ACCOUNT_FIELDS,
});

const CHECKING_MS = 1000;

/** Whether something still happens to an upload: its rows are checked, or its sync is published. */
const isUnderWay = ({ status, app_id, ownership }: Upload) =>
  status === 'checking' || (status === 'applied' && app_id !== null && ownership === null);

/** Reads an upload. Asks again while something happens to it. */
export const useUpload = (target: Target, id: string | undefined) =>
  useQuery({
    queryKey: [target.path, id],
    queryFn: () => uploads(target).get(id ?? ''),
    enabled: id !== undefined,
    refetchInterval: ({ state }) =>
      state.data !== undefined && isUnderWay(state.data) ? CHECKING_MS : false,
  });

const ACCOUNT_FIELDS = [
  { value: 'id', label: t`ID` },
  { value: 'email', label: t`Email` },
  { value: 'username', label: t`Username` },
  { value: 'first_name', label: t`First name` },
  { value: 'last_name', label: t`Last name` },
  { value: 'display_name', label: t`Display name` },
  { value: 'status', label: t`Status` },
  { value: 'groups', label: t`Groups` },
  { value: 'licenses', label: t`Licenses` },
  ...detailHeaders,
  { value: 'owner', label: t`Email of the owner` },
  { value: 'attribute', label: t`Attribute` },
];

export const PERSON_FIELDS = [
  { value: 'email', label: t`Email` },
  { value: 'username', label: t`Username` },
  { value: 'first_name', label: t`First name` },
  { value: 'last_name', label: t`Last name` },
  { value: 'manager_email', label: t`Email of the manager` },
  { value: 'identity_type', label: t`Identity type` },
  { value: 'domain_type', label: t`Domain type` },
  { value: 'status', label: t`Status` },
  { value: 'role', label: t`Role in Gatehouse` },
  { value: 'start_date', label: t`Start date` },
  { value: 'end_date', label: t`End date` },
  { value: 'leave_from', label: t`Leave from` },
  { value: 'leave_until', label: t`Leave until` },
  ...personAttributes
    .filter(([, { headers }]) => headers !== undefined)
    .map(([value]) => ({ value, label: fieldTitle(`attributes.${value}`) })),
  { value: 'attribute', label: t`Attribute` },
];
