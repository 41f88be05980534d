import { Checkbox, Modal } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import styles from './patient-word.module.css'

type Question = { count: number; total: number; answer: (isGiven: boolean) => void }

/** Gives something away; where files in it name their patient, only after the owner said so in words. */
export function usePatientWord(): {
  give: <Given>(act: (withPatients: boolean) => Promise<Given>) => Promise<Given>
  dialog: ReactNode
} {
  const [question, setQuestion] = useState<Question | null>(null)
  return {
    async give(act) {
      try {
        return await act(false)
      } catch (error) {
        if (!(error instanceof CallError) || error.name !== 'patients_named') throw error
        const { count = 0, total = 0 } = error.params
        const isGiven = await new Promise<boolean>((answer) =>
          setQuestion({ count: Number(count), total: Number(total), answer }),
        )
        setQuestion(null)
        if (!isGiven) throw error
        return act(true)
      }
    },
    dialog: question && <PatientWord question={question} />,
  }
}

function PatientWord({ question: { count, total, answer } }: { question: Question }) {
  const { t } = useTranslation('sharing')
  const [isSure, setIsSure] = useState(false)
  return (
    <Modal
      open
      centered
      width={520}
      title={t('patients.title')}
      okText={t('patients.give')}
      okButtonProps={{ danger: true, disabled: !isSure }}
      cancelText={t('patients.keep')}
      onOk={() => answer(true)}
      onCancel={() => answer(false)}
    >
      <p className={styles.text}>
        <strong>
          {t('patients.count', { count, shown: formatNumber(count), total: formatNumber(total) })}
        </strong>
      </p>
      <p className={styles.text}>{t('patients.text')}</p>
      <p className={styles.text}>{t('patients.later')}</p>
      <Checkbox checked={isSure} onChange={({ target }) => setIsSure(target.checked)}>
        {t('patients.sure')}
      </Checkbox>
    </Modal>
  )
}
