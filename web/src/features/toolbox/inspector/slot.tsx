import { CloudOutlined, ExperimentOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from '../toolbox.module.css'

export type Chosen = { from: 'run' | 'file'; id: string; name: string }

type SlotProps = {
  label: string
  chosen: Chosen | null
  mayBeEmpty: boolean
  onChoose: (from: Chosen['from']) => void
  onClear: () => void
}

/** One network: a training's, or a file of the cloud. */
export function Slot({ label, chosen, mayBeEmpty, onChoose, onClear }: SlotProps) {
  const { t } = useTranslation('inspector')
  return (
    <fieldset className={styles.slot}>
      <legend>{label}</legend>
      {chosen && <strong>{chosen.name}</strong>}
      <div className={styles.useActions}>
        <Button icon={<ExperimentOutlined aria-hidden />} onClick={() => onChoose('run')}>
          {t('fromRun')}
        </Button>
        <Button icon={<CloudOutlined aria-hidden />} onClick={() => onChoose('file')}>
          {t('fromFile')}
        </Button>
        {chosen && mayBeEmpty && (
          <Button type="text" onClick={onClear}>
            {t('none')}
          </Button>
        )}
      </div>
    </fieldset>
  )
}
