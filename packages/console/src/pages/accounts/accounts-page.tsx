import { PageHeader } from '../../parts/page-header.tsx';

export function AccountsPage() {
  return <PageHeader title="Accounts" />;
}
