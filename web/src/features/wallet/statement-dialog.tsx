import { dayMs, membership as limits } from '@neuroloom/contract/limits'
import { Input, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { download } from '../../lib/download.ts'
import { currentLanguage } from '../../lib/i18n.ts'
import { useAction } from '../../lib/query.ts'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import styles from './wallet.module.css'

/** A statement of a period, both days included, as a file. */
export function StatementDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('wallet')
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  const [from, setFrom] = useState(`${today.slice(0, 8)}01`)
  const [to, setTo] = useState(today)
  const [format, setFormat] = useState<'csv' | 'pdf'>('pdf')
  const fetchLink = useAction('wallet/statement', {
    refresh: [],
    quiet: true,
    // Made while it is sent, so nobody knows its size before.
    onDone: (link) => void download({ ...link, sizeBytes: 0 }),
  })
  const problem = periodProblem(from, to)
  return (
    <SaveDialog
      title={t('statement.title')}
      saveLabel={t('statement.save')}
      isDisabled={from === '' || to === '' || problem !== null}
      onSave={() => fetchLink.mutateAsync({ from, to, format, language: currentLanguage() })}
      onClose={onClose}
    >
      <p>{t('statement.text')}</p>
      <div className={styles.form}>
        <label htmlFor="statement-from">{t('statement.from')}</label>
        <Input
          id="statement-from"
          type="date"
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        />
        <label htmlFor="statement-to">{t('statement.to')}</label>
        <Input id="statement-to" type="date" value={to} onChange={({ target }) => setTo(target.value)} />
        {problem && (
          <p role="alert" className={styles.problem}>
            {t(`statement.problem.${problem}`, { most: limits.statementDays })}
          </p>
        )}
        <span id="statement-format" className={styles.label}>
          {t('statement.format')}
        </span>
        <Radio.Group
          aria-labelledby="statement-format"
          value={format}
          onChange={({ target }) => setFormat(target.value)}
          options={[
            { value: 'pdf', label: t('statement.pdf') },
            { value: 'csv', label: t('statement.csv') },
          ]}
        />
        {fetchLink.error && (
          <p role="alert" className={styles.problem}>
            {messageOf(fetchLink.error)}
          </p>
        )}
      </div>
    </SaveDialog>
  )
}

function periodProblem(from: string, to: string): 'order' | 'long' | null {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs
  if (days < 0) return 'order'
  return days >= limits.statementDays ? 'long' : null
}
