import type { CustomTask } from '@neuroloom/contract/custom/task-calls'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../ui/lazy-part.tsx'

const WorkDialog = lazyPart(async () => (await import('./work-dialog.tsx')).WorkDialog, { over: true })

/** What whoever works on a task can tell of it; nothing where there is no work. */
export function WorkActions({ task }: { task: CustomTask }) {
  const { t } = useTranslation('custom')
  const [deed, setDeed] = useState<'progress' | 'complete' | null>(null)
  if (task.state !== 'approved' && task.state !== 'processing') return null
  return (
    <>
      <Button type="primary" disabled={task.progress === 100} onClick={() => setDeed('progress')}>
        {t('work.progress.open')}
      </Button>
      <Button onClick={() => setDeed('complete')}>{t('work.complete.open')}</Button>
      <Suspense>{deed && <WorkDialog task={task} deed={deed} onClose={() => setDeed(null)} />}</Suspense>
    </>
  )
}
