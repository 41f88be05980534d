import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import type { PickProblem } from './picked-files.ts'

type Props = { problem: PickProblem | null; onClose: () => void; onChooseFolder?: () => void }

/** What is wrong with a choice of files and what to do instead. */
export function PickProblemDialog({ problem, onClose, onChooseFolder }: Props) {
  const { t } = useTranslation('files')
  const offersFolder = problem?.name === 'tooManyLoose' && onChooseFolder !== undefined
  const numbers = problem && 'limit' in problem.params ? problem.params : { number: 0, limit: 0 }
  const params = { number: formatNumber(numbers.number), limit: formatNumber(numbers.limit) }
  return (
    <Modal
      open={problem !== null}
      centered
      width={480}
      title={problem && t(`pick.${problem.name}.title`, params)}
      onCancel={onClose}
      footer={[
        <Button key="close" {...(offersFolder ? {} : { type: 'primary' })} onClick={onClose}>
          {t('pick.close')}
        </Button>,
        offersFolder && (
          <Button key="folder" type="primary" onClick={onChooseFolder}>
            {t('pick.chooseFolder')}
          </Button>
        ),
      ]}
    >
      {problem && t(`pick.${problem.name}.text`, params)}
    </Modal>
  )
}
