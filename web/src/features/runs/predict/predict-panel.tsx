import { PictureOutlined } from '@ant-design/icons'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { Button, Checkbox } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useAction, useCall } from '../../../lib/query.ts'
import styles from '../run.module.css'
import { preparedBy } from './prepared-by.ts'

/** A folder of the cloud, or files in it. */
export type Chosen = { folderId: string } | { fileIds: string[] }

export type SourcePickerProps = {
  open: boolean
  busy: boolean
  onPick: (chosen: Chosen) => void
  onClose: () => void
}

/** The way from a trained network to pictures that nobody has labelled. */
export function PredictPanel({
  run,
  picker,
}: {
  run: LearnedRun
  picker: (props: SourcePickerProps) => ReactNode
}) {
  const { t } = useTranslation(['predict', 'recipes'])
  const navigate = useNavigate()
  const [isChoosing, setChoosing] = useState(false)
  const predict = useAction('runs/predict', {
    refresh: ['runs/list', 'projects/detail'],
    onDone: ({ id }) => void navigate(`/run?id=${id}`),
  })
  const context = run.task
  const { data } = useCall('runs/recipe', { id: run.id }, { quiet: true })
  const steps = preparedBy(data?.recipe ?? null, (step) => t(`recipes:step.${step.do}.name`))
  const [isReplayed, setReplayed] = useState(true)
  return (
    <div className={styles.test}>
      <p className={styles.lead}>{t('lead', { context })}</p>
      {steps !== '' && (
        <Checkbox checked={isReplayed} onChange={({ target }) => setReplayed(target.checked)}>
          {t('replay.label', { steps })}
          <span className={styles.source}> {t('replay.text')}</span>
        </Checkbox>
      )}
      <Button size="large" icon={<PictureOutlined aria-hidden />} onClick={() => setChoosing(true)}>
        {t('choose', { context })}
      </Button>
      <p className={styles.source}>{t('seen')}</p>
      {picker({
        open: isChoosing,
        busy: predict.isPending,
        onPick: (chosen) => predict.mutate({ id: run.id, replay: steps !== '' && isReplayed, ...chosen }),
        onClose: () => setChoosing(false),
      })}
    </div>
  )
}
