import type { Run } from '@neuroloom/contract/runs'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Loading } from '../../../ui/loading.tsx'
import styles from './sharpen.module.css'

/** Most look at it alone. */
const TrainForm = lazyPart(async () => (await import('./train-form.tsx')).TrainForm)

type Props = { projectId: string; mayChange: boolean; onStarted: (run: Run) => void }

/** What a network can do for the studies of a project, and the way to train one. */
export function AboutSharpen({ projectId, mayChange, onStarted }: Props) {
  const { t } = useTranslation('flow-sharpen')
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={`${styles.form} ${styles.about}`}>
      <div className={styles.begin}>
        <p className={styles.soft}>
          {t('about.learns')} {t('about.estimated')}
        </p>
        {mayChange && !isOpen && <Button onClick={() => setOpen(true)}>{t('about.train')}</Button>}
      </div>
      {mayChange && isOpen && (
        <Suspense fallback={<Loading shape="rows" count={4} />}>
          <TrainForm projectId={projectId} onStarted={onStarted} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
