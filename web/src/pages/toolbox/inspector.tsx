import { toolbox as limits } from '@neuroloom/contract/limits'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SourcePicker } from '../../features/files/source-picker.tsx'
import { InspectorResult } from '../../features/toolbox/inspector/inspector-result.tsx'
import { type Chosen, Slot } from '../../features/toolbox/inspector/slot.tsx'
import styles from '../../features/toolbox/toolbox.module.css'
import { useInputs } from '../../features/toolbox/use-inputs.ts'
import { useAction } from '../../lib/query.ts'
import { RefusalText } from '../../ui/limits/refusal-text.tsx'
import { Panel } from '../../ui/page.tsx'
import { TrainingPicker } from './training-picker.tsx'

type Place = 'first' | 'second'

/** Which network, perhaps a second one beside it; then what stands in them. */
export const InspectorTool = () => <Inspector inputs={useInputs()} />

export function Inspector({ inputs }: { inputs: Readonly<Record<string, string>> }) {
  const { t } = useTranslation(['inspector', 'toolbox'])
  const [chosen, setChosen] = useState<Record<Place, Chosen | null>>(() => ({
    first: chosenOf(inputs, 'first'),
    second: chosenOf(inputs, 'second'),
  }))
  const [choosing, setChoosing] = useState<{ from: 'run' | 'file'; place: Place } | null>(null)
  const inspect = useAction('toolbox/inspect', { quiet: true, refresh: [] })
  const record = useAction('toolbox/record', { quiet: true, refresh: ['toolbox/history'] })
  const choose = (one: Chosen | null, place: Place) => {
    inspect.reset()
    setChosen({ ...chosen, [place]: one })
    setChoosing(null)
  }
  const { first, second } = chosen
  const look = () => {
    if (!first) return
    inspect.mutate({ source: sourceOf(first), other: second && sourceOf(second) })
    record.mutate({
      tool: 'inspector',
      title: [first, second]
        .flatMap((one) => one?.name ?? [])
        .join(' · ')
        .slice(0, limits.titleLength),
      inputs: { ...asInputs('first', first), ...(second ? asInputs('second', second) : {}) },
    })
  }
  return (
    <div className={styles.stack}>
      <Panel>
        <div className={styles.steps}>
          <p>{t('lead')}</p>
          {(['first', 'second'] as const).map((place) => (
            <Slot
              key={place}
              label={t(`slot.${place}`)}
              chosen={chosen[place]}
              mayBeEmpty={place === 'second'}
              onChoose={(from) => setChoosing({ from, place })}
              onClear={() => choose(null, place)}
            />
          ))}
          <Button type="primary" size="large" disabled={!first} loading={inspect.isPending} onClick={look}>
            {t('look')}
          </Button>
          {inspect.isError && <Alert type="error" showIcon title={<RefusalText error={inspect.error} />} />}
          {inspect.data?.refused && (
            <Alert
              type="warning"
              showIcon
              title={t('refusedFile', { name: (inspect.data.place === 0 ? first : second)?.name ?? '' })}
              description={t(`refused.${inspect.data.refused}`)}
            />
          )}
        </div>
      </Panel>
      {inspect.data?.found && (
        <InspectorResult
          found={inspect.data.found}
          network={inspect.data.network}
          name={first?.name ?? ''}
          other={second?.name ?? null}
        />
      )}
      <SourcePicker
        open={choosing?.from === 'file'}
        busy={false}
        title={t('file')}
        okText={t('takeFile')}
        onPick={(_, [entry]) => {
          if (entry && entry.kind === 'file' && choosing)
            choose({ from: 'file', id: entry.id, name: entry.name }, choosing.place)
        }}
        onClose={() => setChoosing(null)}
      />
      {choosing?.from === 'run' && (
        <TrainingPicker
          onPick={({ id, name }) => choose({ from: 'run', id, name }, choosing.place)}
          onClose={() => setChoosing(null)}
        />
      )}
    </div>
  )
}

const sourceOf = ({ from, id }: Chosen): Omit<Chosen, 'name'> => ({ from, id })

const asInputs = (place: Place, { from, id, name }: Chosen): Record<string, string> => ({
  [place]: id,
  [`${place}From`]: from,
  [`${place}Name`]: name,
})

function chosenOf(inputs: Readonly<Record<string, string>>, place: Place): Chosen | null {
  const [id, from] = [inputs[place], inputs[`${place}From`]]
  if (!id || (from !== 'run' && from !== 'file')) return null
  return { from, id, name: inputs[`${place}Name`] ?? '' }
}
