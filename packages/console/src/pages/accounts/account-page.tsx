import { PageHeader } from '../../parts/page-header.tsx';

export function AccountPage() {
  return <PageHeader title="Account" />;
}
