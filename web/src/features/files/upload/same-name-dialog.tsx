import type { SameName } from '@neuroloom/contract/uploads'
import { Button, Checkbox, Modal, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import styles from './same-name-dialog.module.css'
import type { JobView } from './upload-job.ts'
import { uploads } from './uploads.ts'

const choices: SameName[] = ['skip', 'overwrite', 'rename']

/** Asks for one taken name after the other, or for all that are left at once. Leaving it sends nothing. */
export function SameNameDialog({ job }: { job: JobView }) {
  const { t } = useTranslation(['files', 'uploads'])
  const [choice, setChoice] = useState<SameName>('skip')
  const [decided, setDecided] = useState<ReadonlyMap<string, SameName>>(new Map())
  const [isForAll, setForAll] = useState(job.conflicts.length > 1)
  const open = job.conflicts.filter((path) => !decided.has(path))
  const path = open[0] ?? ''
  const count = job.conflicts.length
  const leave = () => uploads.answer(job.key, null)
  const go = () => {
    const now = isForAll ? open : [path]
    const all = new Map([...decided, ...now.map((one) => [one, choice] as const)])
    if (all.size < count) setDecided(all)
    else uploads.answer(job.key, all)
  }
  return (
    <Modal
      open
      centered
      width={520}
      title={t('files:sameName.title', { count })}
      onCancel={leave}
      footer={
        <div className={styles.footer}>
          <Button onClick={leave}>{t('files:sameName.leave')}</Button>
          <Button type="primary" onClick={go}>
            {t('files:sameName.go')}
          </Button>
        </div>
      }
    >
      <div className={styles.conflicts} aria-live="polite">
        <strong>{path}</strong>
        {count > 1 && (
          <small>
            {t('uploads:sameName.position', {
              number: formatNumber(count - open.length + 1),
              total: formatNumber(count),
            })}
          </small>
        )}
      </div>
      <Radio.Group
        value={choice}
        onChange={(event) => setChoice(event.target.value)}
        aria-label={t('uploads:sameName.question', { name: path })}
      >
        <div className={styles.choices}>
          {choices.map((name) => (
            <Radio key={name} value={name}>
              <strong>{t(`files:sameName.${name}`)}</strong>
              <span>{t(`files:sameName.${name}Text`)}</span>
            </Radio>
          ))}
        </div>
      </Radio.Group>
      {open.length > 1 && (
        <div className={styles.forAll}>
          <Checkbox checked={isForAll} onChange={(event) => setForAll(event.target.checked)}>
            {t('uploads:sameName.forAll', { count: open.length, shown: formatNumber(open.length) })}
          </Checkbox>
        </div>
      )}
    </Modal>
  )
}
