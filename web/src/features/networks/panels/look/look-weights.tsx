import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../../lib/format.ts'
import { useCall } from '../../../../lib/query.ts'
import { useEditor } from '../../editor/use-editor.ts'
import { Field } from '../settings/field.tsx'

type Props = { runId: string | null; onChoose: (runId: string | null) => void }

/** First weights, or what one of this network's trainings has learnt. */
export function LookWeights({ runId, onChoose }: Props) {
  const { t } = useTranslation('dripe-panels')
  const network = useEditor(({ file }) => file.id)
  // Asked for anew: a training may have ended since the panel beside this one read the list.
  const { data } = useCall('runs/list', { projectId: null }, { quiet: true, staleTime: 0 })
  const trained = (data?.runs ?? []).filter(
    (run) =>
      run.network === network && run.kind === 'train' && run.artifacts.some(({ kind }) => kind === 'weights'),
  )
  return (
    <Field label={t('look.weights')} note={trained.length === 0 ? t('look.notTrained') : undefined}>
      {(ids) => (
        <Select
          {...ids}
          size="small"
          value={runId ?? ''}
          options={[
            { value: '', label: t('look.firstWeights') },
            ...trained.map((run) => ({
              value: run.id,
              label: t('look.run', { number: run.number, date: formatDate(run.createdAt, 'relative') }),
            })),
          ]}
          onChange={(value) => onChoose(value === '' ? null : value)}
        />
      )}
    </Field>
  )
}
