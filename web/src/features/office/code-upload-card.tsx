import { codeDangers } from '@neuroloom/contract/custom/code'
import type { OfficeCode } from '@neuroloom/contract/custom/code-calls'
import { membership as limits } from '@neuroloom/contract/limits'
import { Button } from 'antd'
import type { TFunction } from 'i18next'
import { type ComponentType, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatDate } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { Facts } from '../../ui/facts.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { CodeFiles } from './code-files.tsx'
import { CodeRuns } from './code-runs.tsx'
import type { CodeText } from './code-text.ts'
import { DeedDialog } from './deed-dialog.tsx'
import styles from './office.module.css'
import { WordsField } from './words-field.tsx'

const marks = { pending_review: 'asked', approved: 'done', rejected: 'failed' } as const

type Props = { upload: OfficeCode; Text: ComponentType<CodeText>; canRun: boolean }

/** One upload: what the intake found, its files to read, the decision, and runs once it is approved. */
export function CodeUploadCard({ upload, Text, canRun }: Props) {
  const { t } = useTranslation(['code-office', 'code'])
  const title = useId()
  const [open, setOpen] = useState<'files' | 'approve' | 'reject' | null>(null)
  const { id, name, state, member, isOwn, isInspected } = upload
  const isWaiting = state === 'pending_review'
  const hasDanger = codeDangers.some((finding) => upload.findings[finding] !== undefined)
  const person = member.account === '' ? t('accountGone') : `${member.nickName} (${member.account})`
  return (
    <article className={styles.card} aria-labelledby={title}>
      <header className={styles.head}>
        <h2 id={title}>{name}</h2>
        <span className={styles.spring} />
        <StateMark state={marks[state]} text={t(`states.${state}`)} />
      </header>
      <Facts
        facts={[
          [t('member'), person],
          [t('code:fact.folders'), upload.folders.join(', ')],
          [
            t('code:fact.files'),
            t('code:files', { count: upload.files, size: formatBytes(upload.unpackedBytes) }),
          ],
          [t('code:fact.uploaded'), formatDate(upload.uploadedAt, 'minute')],
          [
            t('code:fact.reviewed'),
            upload.reviewedAt === null ? null : formatDate(upload.reviewedAt, 'minute'),
          ],
          [t('code:fact.reason'), upload.reason],
          [t('code:fact.findings'), isInspected ? foundOf(upload, t) : t('code:beingRead')],
        ]}
      />
      {isOwn && <p className={styles.help}>{t('own')}</p>}
      {isWaiting && hasDanger && <p className={styles.problem}>{t('dangers')}</p>}
      <div className={styles.actions}>
        <Button onClick={() => setOpen('files')}>{t('read.open')}</Button>
        {isWaiting && !isOwn && (
          <>
            <Button type="primary" disabled={!isInspected || hasDanger} onClick={() => setOpen('approve')}>
              {t('approve.open')}
            </Button>
            <Button danger onClick={() => setOpen('reject')}>
              {t('reject.open')}
            </Button>
          </>
        )}
      </div>
      {state === 'approved' && <CodeRuns id={id} canRun={canRun && !isOwn} />}
      {open === 'files' && <CodeFiles upload={upload} Text={Text} onClose={() => setOpen(null)} />}
      {(open === 'approve' || open === 'reject') && (
        <ReviewDialog upload={upload} deed={open} onClose={() => setOpen(null)} />
      )}
    </article>
  )
}

function foundOf({ findings }: OfficeCode, t: TFunction<['code-office', 'code']>): string {
  // Counts of known findings, by the schema of the call.
  const found = Object.entries(findings) as [keyof typeof findings, number][]
  if (found.length === 0) return t('code:noFindings')
  return found
    .map(([finding, count]) => t('code:found', { finding: t(`code:finding.${finding}`), count }))
    .join(' · ')
}

type ReviewProps = { upload: OfficeCode; deed: 'approve' | 'reject'; onClose: () => void }

/** The member is told of either. */
function ReviewDialog({ upload: { id, name }, deed, onClose }: ReviewProps) {
  const { t } = useTranslation('code-office')
  const [reason, setReason] = useState('')
  const isApproval = deed === 'approve'
  const decide = useAction('office/codeUpload', {
    refresh: ['office/codeUploads'],
    quiet: true,
    onDone: () => toast.success(t('done')),
  })
  return (
    <DeedDialog
      title={t(`${deed}.title`, { name })}
      text={t(`${deed}.text`)}
      saveLabel={t(`${deed}.save`)}
      isDanger={!isApproval}
      isDisabled={!isApproval && reason.trim() === ''}
      error={decide.error}
      onSave={() =>
        decide.mutateAsync({
          id,
          decision: isApproval ? { is: 'approved' } : { is: 'rejected', reason: reason.trim() },
        })
      }
      onClose={onClose}
    >
      {!isApproval && (
        <WordsField
          id="code-reason"
          label={t('reason')}
          help={t('reject.help')}
          text={reason}
          maxLength={limits.reasonLength}
          isLong
          onText={setReason}
        />
      )}
    </DeedDialog>
  )
}
