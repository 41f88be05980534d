import { toolbox as limits } from '@neuroloom/contract/limits'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { ConvertDialog } from '../../features/files/convert/convert-dialog.tsx'
import { type PickedEntry, SourcePicker } from '../../features/files/source-picker.tsx'
import styles from '../../features/toolbox/toolbox.module.css'
import { useInputs } from '../../features/toolbox/use-inputs.ts'
import { useAction } from '../../lib/query.ts'
import { Panel } from '../../ui/page.tsx'

/** Chooses in the cloud what to convert; then it is the cloud's own dialog. */
export function Converter() {
  const { t } = useTranslation('toolbox')
  const navigate = useNavigate()
  const { sources } = useInputs()
  const [chosen, setChosen] = useState<readonly PickedEntry[]>(() => readSources(sources))
  const [isChoosing, setChoosing] = useState(false)
  const record = useAction('toolbox/record', {
    quiet: true,
    refresh: ['toolbox/history'],
    onDone: () => void navigate('/toolboxHome?tab=history'),
  })
  const title = chosen
    .map(({ name }) => name)
    .join(', ')
    .slice(0, limits.titleLength)
  return (
    <Panel>
      <div className={styles.steps}>
        <p>{t('converter.lead')}</p>
        <Button size="large" type="primary" onClick={() => setChoosing(true)}>
          {t('choose')}
        </Button>
      </div>
      <SourcePicker
        open={isChoosing}
        busy={false}
        title={t('converter.what')}
        okText={t('take')}
        onPick={(_, entries) => {
          setChoosing(false)
          setChosen(entries)
        }}
        onClose={() => setChoosing(false)}
      />
      {chosen.length > 0 && (
        <ConvertDialog
          entries={chosen}
          onClose={() => setChosen([])}
          onStarted={({ id }) =>
            record.mutate({
              tool: 'converter',
              title,
              inputs: inputsOf(chosen),
              jobId: id,
            })
          }
        />
      )}
    </Panel>
  )
}

/** So many files that they are not kept are chosen anew. */
function inputsOf(chosen: readonly PickedEntry[]): Record<string, string> {
  const sources = JSON.stringify(chosen)
  return sources.length <= limits.inputLength ? { sources } : {}
}

function readSources(text: string | undefined): PickedEntry[] {
  if (text === undefined) return []
  const read: unknown = JSON.parse(text)
  return Array.isArray(read) ? read.filter(isEntry) : []
}

const isEntry = (value: unknown): value is PickedEntry =>
  typeof value === 'object' && value !== null && 'id' in value && 'kind' in value && 'name' in value
