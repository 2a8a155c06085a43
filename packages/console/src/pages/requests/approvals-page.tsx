import { PageHeader } from '../../parts/page-header.tsx';

export function ApprovalsPage() {
  return <PageHeader title="Approvals" />;
}
