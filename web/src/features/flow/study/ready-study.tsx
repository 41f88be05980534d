import type { FlowDetail } from '@neuroloom/contract/flow/calls'
import { Button } from 'antd'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { LearnedNote } from '../learned/learned.tsx'
import { ProblemList } from '../settle/problem-list.tsx'
import styles from './study.module.css'
import { StudyFacts } from './study-facts.tsx'

const StudyViewer = lazyPart(async () => (await import('./study-viewer.tsx')).StudyViewer)

/** What the study is, in a line, and the flow in it. */
export function ReadyStudy({ study, onAnew }: { study: FlowDetail; onAnew?: () => void }) {
  const { t } = useTranslation('flow')
  return (
    <>
      {study.head && <StudyFacts study={study} head={study.head} />}
      {study.head?.sharpened && <LearnedNote sharpened={study.head.sharpened} />}
      <Suspense fallback={<Loading shape="rows" count={4} />}>
        <StudyViewer study={study} />
      </Suspense>
      <ProblemList problems={study.problems} />
      {onAnew && (
        <div className={styles.actions}>
          <span className={styles.soft}>{t('settle.anewHint')}</span>
          <Button onClick={onAnew}>{t('settle.anew')}</Button>
        </div>
      )}
    </>
  )
}
