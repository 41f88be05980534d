import { useTranslation } from 'react-i18next'
import { SourcePicker } from '../../features/files/source-picker.tsx'
import { Bench } from '../../features/toolbox/statistics/bench.tsx'
import { useInputs } from '../../features/toolbox/use-inputs.ts'

/** The statistics bench, with tables of the cloud. */
export function Statistics() {
  const { t } = useTranslation('statistics')
  const inputs = useInputs()
  return (
    <Bench
      inputs={inputs}
      picker={({ open, onPick, onClose }) => (
        <SourcePicker
          open={open}
          busy={false}
          title={t('data.which')}
          okText={t('data.take')}
          onPick={(_, [first]) => first?.kind === 'file' && onPick(first)}
          onClose={onClose}
        />
      )}
    />
  )
}
