import { CheckOutlined, WarningOutlined } from '@ant-design/icons'
import type { TextPicture } from '@neuroloom/contract/burned-in'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { call, messageOf } from '../../../lib/api.ts'
import { saveBlob } from '../../../lib/download.ts'
import { formatNumber } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { type PageOfPictures, Paging } from './confirming.tsx'
import { proofOf } from './proof.ts'
import styles from './texts.module.css'

/** The copies one by one: how many places were blacked out, and what looking at the copy again found there. */
export function Proof({ scan, pictures, paging }: PageOfPictures) {
  const { t } = useTranslation('texts')
  const [isSaving, setSaving] = useState(false)
  const isNamed = pictures.some(({ copy }) => copy?.namesPatient)
  const save = async () => {
    setSaving(true)
    try {
      saveBlob('proof.csv', new Blob([proofOf(await allOf(scan.id, paging.pages))], { type: 'text/csv' }))
    } catch (error) {
      toast.error(messageOf(error))
    }
    setSaving(false)
  }
  return (
    <>
      <Alert type="info" showIcon title={t('promiseCopies')} />
      {isNamed && <Alert type="warning" showIcon title={t('namesPatient')} />}
      <div className={styles.tools}>
        {scan.folderId && <Link to={`/cloudFile?id=${scan.folderId}`}>{t('toCopies')}</Link>}
        <Button loading={isSaving} onClick={() => void save()}>
          {t('saveProof')}
        </Button>
      </div>
      <ul className={styles.proofs} aria-label={t('proof')}>
        {pictures.map((picture) => (
          <ProofRow key={picture.position} picture={picture} />
        ))}
      </ul>
      <Paging {...paging} />
    </>
  )
}

async function allOf(id: string, pages: number): Promise<TextPicture[]> {
  const all: TextPicture[] = []
  for (let page = 0; page < pages; page += 1) {
    all.push(...(await call('files/textPictures', { id, page }, { quiet: true })).pictures)
  }
  return all.sort((a, b) => a.position - b.position)
}

function ProofRow({ picture: { sourceName, copy, regions, reason, state } }: { picture: TextPicture }) {
  const { t } = useTranslation(['texts', 'viewing'])
  return (
    <li>
      <span>
        <strong>{sourceName}</strong>
        {copy && <small>{t('copyAs', { name: copy.name })}</small>}
      </span>
      {copy ? (
        <>
          <span>{t('blacked', { count: regions.length, shown: formatNumber(regions.length) })}</span>
          {copy.left === 0 ? (
            <span className={styles.sure}>
              <CheckOutlined aria-hidden /> {t('clean')}
            </span>
          ) : (
            <span className={styles.unsure}>
              <WarningOutlined aria-hidden />{' '}
              {t('left', { count: copy.left, shown: formatNumber(copy.left) })}
            </span>
          )}
        </>
      ) : (
        <span className={state === 'failed' ? styles.failed : styles.soft}>
          {reason ? t(`viewing:reasons.${reason.name}`, reason.params) : t('noCopy')}
        </span>
      )}
    </li>
  )
}
