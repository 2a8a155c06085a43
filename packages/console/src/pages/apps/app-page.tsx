import { PageHeader } from '../../parts/page-header.tsx';

export function AppPage() {
  return <PageHeader title="App" />;
}
