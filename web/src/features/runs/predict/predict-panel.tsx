import { PictureOutlined } from '@ant-design/icons'
import type { Run } from '@neuroloom/contract/runs'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useAction } from '../../../lib/query.ts'
import styles from '../run.module.css'

/** A folder of the cloud, or files in it. */
export type Chosen = { folderId: string } | { fileIds: string[] }

export type SourcePickerProps = {
  open: boolean
  busy: boolean
  onPick: (chosen: Chosen) => void
  onClose: () => void
}

/** The way from a trained network to pictures that nobody has labelled. */
export function PredictPanel({ run, picker }: { run: Run; picker: (props: SourcePickerProps) => ReactNode }) {
  const { t } = useTranslation('predict')
  const navigate = useNavigate()
  const [isChoosing, setChoosing] = useState(false)
  const predict = useAction('runs/predict', {
    refresh: ['runs/list', 'projects/detail'],
    onDone: ({ id }) => void navigate(`/run?id=${id}`),
  })
  const context = run.task
  return (
    <div className={styles.test}>
      <p className={styles.lead}>{t('lead', { context })}</p>
      <Button size="large" icon={<PictureOutlined aria-hidden />} onClick={() => setChoosing(true)}>
        {t('choose', { context })}
      </Button>
      <p className={styles.source}>{t('seen')}</p>
      {picker({
        open: isChoosing,
        busy: predict.isPending,
        onPick: (chosen) => predict.mutate({ id: run.id, ...chosen }),
        onClose: () => setChoosing(false),
      })}
    </div>
  )
}
