import { PageHeader } from '../../parts/page-header.tsx';

export function OrganizationPage() {
  return <PageHeader title="Organization" />;
}
