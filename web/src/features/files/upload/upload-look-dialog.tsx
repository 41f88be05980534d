import type { TextEncoding } from '@neuroloom/contract/names/encodings'
import type { UnpackMode } from '@neuroloom/contract/uploads'
import { Button, Modal, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { NameReading } from './name-reading.tsx'
import type { JobView } from './upload-job.ts'
import type { Look, LookFinding } from './upload-look.ts'
import styles from './upload-look-dialog.module.css'
import { uploads } from './uploads.ts'

/** Names shown at a time: a folder may hold thousands. */
const shownNames = 50
/** Further ones are read as is likeliest. */
const shownArchives = 10
const nothing: Look = { findings: [], archives: [], names: new Map() }

/** What was found before a byte flows: files that are not sound, and archives that could be unpacked. */
export function UploadLookDialog({ job }: { job: JobView }) {
  const { t } = useTranslation('uploads')
  const [unpack, setUnpack] = useState<UnpackMode>('no')
  const [encodings, setEncodings] = useState<ReadonlyMap<string, TextEncoding>>(new Map())
  const { findings, archives, names } = job.look ?? nothing
  const leave = () => uploads.choose(job.key, null)
  const go = (leaveOut: readonly LookFinding[]) =>
    uploads.choose(job.key, { leaveOut: new Set(leaveOut.map(({ path }) => path)), unpack, encodings })
  const isAllBad = findings.length >= job.totalFiles
  return (
    <Modal
      open
      centered
      width={640}
      title={findings.length > 0 ? t('look.title', { count: findings.length }) : t('look.archiveTitle')}
      onCancel={leave}
      footer={
        <div className={styles.footer}>
          <Button onClick={leave}>{t('look.leave')}</Button>
          {findings.length > 0 && (
            <Button {...(isAllBad ? { type: 'primary' } : {})} onClick={() => go([])}>
              {t('look.sendAll')}
            </Button>
          )}
          {!isAllBad && (
            <Button type="primary" onClick={() => go(findings)}>
              {findings.length > 0 ? t('look.sendGood') : t('look.send')}
            </Button>
          )}
        </div>
      }
    >
      {findings.length > 0 && (
        <ul className={styles.findings}>
          {findings.slice(0, shownNames).map(({ path, problem }) => (
            <li key={path}>
              <b>{path}</b>
              <span>{t(`look.${problem}`)}</span>
            </li>
          ))}
          {findings.length > shownNames && (
            <li>
              {t('look.more', {
                count: findings.length - shownNames,
                shown: formatNumber(findings.length - shownNames),
              })}
            </li>
          )}
        </ul>
      )}
      {archives.length > 0 && (
        <div className={styles.archives}>
          <p>{t('look.archives', { count: archives.length, name: archives[0] ?? '' })}</p>
          <Radio.Group
            value={unpack}
            onChange={(event) => setUnpack(event.target.value)}
            aria-label={t('look.archiveTitle')}
          >
            <div className={styles.choices}>
              <Radio value="no">
                <strong>{t('look.keep')}</strong>
                <span>{t('look.keepText')}</span>
              </Radio>
              <Radio value="unpack">
                <strong>{t('look.unpack')}</strong>
                <span>{t('look.unpackText')}</span>
              </Radio>
            </div>
          </Radio.Group>
          {unpack === 'unpack' &&
            [...names].slice(0, shownArchives).map(([path, samples]) => (
              <section key={path} className={styles.names}>
                {archives.length > 1 && <b>{path}</b>}
                <NameReading
                  samples={samples}
                  value={encodings.get(path) ?? samples.guess}
                  onChange={(encoding) => setEncodings(new Map(encodings).set(path, encoding))}
                />
              </section>
            ))}
        </div>
      )}
    </Modal>
  )
}
