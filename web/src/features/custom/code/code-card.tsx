import type { CodeUpload } from '@neuroloom/contract/custom/code-calls'
import { Button } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatDate } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { StateMark } from '../../../ui/state-mark.tsx'
import styles from '../custom.module.css'
import { CodeEntries } from './code-entries.tsx'

const marks = { pending_review: 'waiting', approved: 'done', rejected: 'failed' } as const

/** One upload: its folders, what the intake found, and how its review stands. */
export function CodeCard({ upload }: { upload: CodeUpload }) {
  const { t } = useTranslation('code')
  const title = useId()
  const [hasEntries, setEntries] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const { id, name, state, reason, reviewedAt } = upload
  const remove = useAction('codeUpload/remove', {
    refresh: ['codeUpload/list'],
    onDone: () => toast.success(t('remove.done')),
  })
  return (
    <article className={styles.card} aria-labelledby={title}>
      <header className={styles.head}>
        <h3 id={title}>{name}</h3>
        <StateMark state={marks[state]} text={t(`state.${state}`)} />
      </header>
      <Facts
        facts={[
          [t('fact.folders'), upload.folders.join(', ')],
          [t('fact.files'), t('files', { count: upload.files, size: formatBytes(upload.unpackedBytes) })],
          [t('fact.uploaded'), formatDate(upload.uploadedAt, 'minute')],
          [t('fact.reviewed'), reviewedAt === null ? null : formatDate(reviewedAt, 'minute')],
          [t('fact.reason'), reason],
          [
            t('fact.findings'),
            upload.isInspected ? <FoundList key="found" upload={upload} /> : t('beingRead'),
          ],
        ]}
      />
      <div className={styles.actions}>
        <Button aria-expanded={hasEntries} onClick={() => setEntries(!hasEntries)}>
          {t('entries.open')}
        </Button>
        <Button danger onClick={() => setRemoving(true)}>
          {t('remove.open')}
        </Button>
      </div>
      {hasEntries && <CodeEntries id={id} />}
      <ConfirmRemove
        open={isRemoving}
        title={t('remove.title', { name })}
        text={t('remove.text')}
        onConfirm={() => remove.mutateAsync({ id })}
        onClose={() => setRemoving(false)}
      />
    </article>
  )
}

function FoundList({ upload: { findings } }: { upload: CodeUpload }) {
  const { t } = useTranslation('code')
  // Counts of known findings, by the schema of the call.
  const found = Object.entries(findings) as [keyof typeof findings, number][]
  if (found.length === 0) return t('noFindings')
  return (
    <ul className={styles.plain}>
      {found.map(([finding, count]) => (
        <li key={finding}>{t('found', { finding: t(`finding.${finding}`), count })}</li>
      ))}
    </ul>
  )
}
