import { useQuery } from '@tanstack/react-query';
import { base, send } from '../../api/base.ts';
import type { Answer } from '../../api/client.ts';

export type Upload = Answer<'/api/apps/{app_id}/uploads/{upload_id}/'>;
export type Mapping = Upload['suggestion'];
export type MappedColumn = Mapping['columns'][number];

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
  apply: (id: string) => request<Upload>('POST', `${path}${id}/apply/`),
  discard: (id: string) => request<undefined>('DELETE', `${path}${id}/`),
  sampleAddress: (format: 'csv' | 'xlsx') => `${base}${path}sample/?format=${format}`,
  problemsAddress: (id: string) => `${base}${path}${id}/problems/`,
});

const CHECKING_MS = 1000;

/** Reads an upload. Asks again while its rows are being checked. */
export const useUpload = (target: Target, id: string) =>
  useQuery({
    queryKey: [target.path, id],
    queryFn: () => uploads(target).get(id),
    refetchInterval: ({ state }) => (state.data?.status === 'checking' ? CHECKING_MS : false),
  });

export const ACCOUNT_FIELDS = [
  { value: 'id', label: 'ID' },
  { value: 'email', label: 'Email' },
  { value: 'username', label: 'Username' },
  { value: 'first_name', label: 'First name' },
  { value: 'last_name', label: 'Last name' },
  { value: 'display_name', label: 'Display name' },
  { value: 'status', label: 'Status' },
  { value: 'groups', label: 'Groups' },
  { value: 'licenses', label: 'Licenses' },
  { value: 'last_sign_in_at', label: 'Last sign-in' },
  { value: 'owner', label: 'Email of the owner' },
  { value: 'attribute', label: 'Attribute' },
] as const;

export const PERSON_FIELDS = [
  { value: 'email', label: 'Email' },
  { value: 'username', label: 'Username' },
  { value: 'first_name', label: 'First name' },
  { value: 'last_name', label: 'Last name' },
  { value: 'manager_email', label: 'Email of the manager' },
  { value: 'identity_type', label: 'Identity type' },
  { value: 'domain_type', label: 'Domain type' },
  { value: 'status', label: 'Status' },
  { value: 'role', label: 'Role in Gatehouse' },
  { value: 'start_date', label: 'Start date' },
  { value: 'end_date', label: 'End date' },
  { value: 'attribute', label: 'Attribute' },
] as const;
