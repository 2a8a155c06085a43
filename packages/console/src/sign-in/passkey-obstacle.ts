import { t } from '@lingui/core/macro';

const ADDRESS = /^(\d+\.\d+\.\d+\.\d+|\[.*\])$/;
const OWN_ADDRESS = /^(127\.|\[::1\])/;

type Address = Pick<Location, 'hostname' | 'protocol' | 'port' | 'origin'>;

/** Returns why browsers refuse passkeys at the address of this page, where the server has found a reason. */
export function passkeyObstacle({ hostname, protocol, port, origin }: Address): string {
  if (!ADDRESS.test(hostname)) return t`Passkeys require https, and ${origin} is opened without it.`;
  if (!OWN_ADDRESS.test(hostname)) return t`Passkeys require a host name, and ${hostname} is an IP address.`;
  const address = `${protocol}//localhost${port === '' ? '' : `:${port}`}`;
  return t`Passkeys require a host name, and ${hostname} is an IP address. Open ${address} instead.`;
}
