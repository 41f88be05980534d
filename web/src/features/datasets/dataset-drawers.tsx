import type { Dataset } from '@neuroloom/contract/datasets'
import { Drawer } from 'antd'
import { useTranslation } from 'react-i18next'
import { DatasetItems } from './dataset-items.tsx'
import { DatasetProblems } from './dataset-problems.tsx'

type DrawerProps = { dataset: Dataset; open: boolean; onClose: () => void }

export function ItemsDrawer({ dataset, open, onClose }: DrawerProps) {
  const { t } = useTranslation('datasets')
  return (
    <Drawer
      open={open}
      size={880}
      title={t('itemsTitle', { name: dataset.name })}
      onClose={onClose}
      destroyOnHidden
    >
      <DatasetItems datasetId={dataset.id} />
    </Drawer>
  )
}

export function ProblemsDrawer({ dataset, open, onClose }: DrawerProps) {
  const { t } = useTranslation('datasets')
  return (
    <Drawer
      open={open}
      size={720}
      title={t('problemsTitle', { name: dataset.name })}
      onClose={onClose}
      destroyOnHidden
    >
      <DatasetProblems datasetId={dataset.id} />
    </Drawer>
  )
}
