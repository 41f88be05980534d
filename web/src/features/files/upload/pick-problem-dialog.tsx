import { Button, Input, Modal } from 'antd'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatDate, formatNumber } from '../../../lib/format.ts'
import type { PackProblem } from './pack.ts'
import styles from './pick-problem-dialog.module.css'
import type { PickProblem } from './picked-files.ts'

type Props = {
  problem: PickProblem | null
  onClose: () => void
  onChooseFolder?: () => void
  /** Packs loose files into one archive that becomes a folder of this name. */
  onPack: (folderName: string) => void
  packProblem: PackProblem | null
}

/** What is wrong with a choice of files and what to do instead. */
export function PickProblemDialog({ problem, onClose, onChooseFolder, onPack, packProblem }: Props) {
  const { t } = useTranslation(['files', 'uploads'])
  const isLoose = problem?.name === 'tooManyLoose'
  const offersPacking = isLoose && packProblem === null
  const [name, setName] = useState('')
  const nameId = useId()
  useEffect(() => {
    if (isLoose) setName(t('uploads:pack.folder', { date: formatDate(new Date().toISOString(), 'day') }))
  }, [isLoose, t])
  const numbers = problem && 'limit' in problem.params ? problem.params : { number: 0, limit: 0 }
  const params = { number: formatNumber(numbers.number), limit: formatNumber(numbers.limit) }
  const isNameGood = /^[^/\\]{1,150}$/.test(name.trim()) && !/^\.+$/.test(name.trim())
  return (
    <Modal
      open={problem !== null}
      centered
      width={520}
      title={problem && t(`files:pick.${problem.name}.title`, params)}
      onCancel={onClose}
      footer={
        <div className={styles.footer}>
          <Button {...(isLoose ? {} : { type: 'primary' })} onClick={onClose}>
            {t('files:pick.close')}
          </Button>
          {isLoose && onChooseFolder && (
            <Button {...(offersPacking ? {} : { type: 'primary' })} onClick={onChooseFolder}>
              {t('files:pick.chooseFolder')}
            </Button>
          )}
          {offersPacking && (
            <Button type="primary" disabled={!isNameGood} onClick={() => onPack(name.trim())}>
              {t('uploads:pack.go')}
            </Button>
          )}
        </div>
      }
    >
      {problem && !isLoose && t(`files:pick.${problem.name}.text`, params)}
      {isLoose && (
        <div className={styles.body}>
          <p>{t('uploads:pack.text', params)}</p>
          {packProblem && <p>{t(`uploads:pack.${packProblem.name}`, packParams(packProblem))}</p>}
          {offersPacking && (
            <div>
              <label htmlFor={nameId}>{t('uploads:pack.name')}</label>
              <Input
                id={nameId}
                value={name}
                maxLength={150}
                onChange={(event) => setName(event.target.value)}
              />
            </div>
          )}
        </div>
      )}
    </Modal>
  )
}

function packParams({ name, params: { number, limit } }: PackProblem) {
  const format = name === 'packTooLarge' ? formatBytes : formatNumber
  return { number: format(number), limit: format(limit) }
}
