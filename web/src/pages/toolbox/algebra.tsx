import { toolbox as limits, masks as maskLimits } from '@neuroloom/contract/limits'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SourcePicker } from '../../features/files/source-picker.tsx'
import { Algebra } from '../../features/recipes/algebra/algebra.tsx'
import type { ChosenFolder } from '../../features/recipes/algebra/chosen.ts'
import { ChosenFolders } from '../../features/recipes/algebra/chosen-folders.tsx'
import { Measures } from '../../features/recipes/algebra/measures.tsx'
import { Works } from '../../features/recipes/works.tsx'
import styles from '../../features/toolbox/toolbox.module.css'
import { useInputs } from '../../features/toolbox/use-inputs.ts'
import { useAction } from '../../lib/query.ts'
import { Panel } from '../../ui/page.tsx'

const ways = ['make', 'measure'] as const

/** Which folders of masks; then what is made of them, or how large what they mark is. */
export function AlgebraTool() {
  const { t } = useTranslation(['algebra', 'toolbox'])
  const inputs = useInputs()
  const [folders, setFolders] = useState<readonly ChosenFolder[]>(() => foldersIn(inputs))
  const [way, setWay] = useState<(typeof ways)[number]>(inputs.way === 'measure' ? 'measure' : 'make')
  const [isChoosing, setChoosing] = useState(false)
  const record = useAction('toolbox/record', { quiet: true, refresh: ['toolbox/history'] })
  const key = folders.map(({ id }) => id).join()
  const keep = (jobId: string | null) =>
    record.mutate({
      tool: 'algebra',
      title: folders
        .map(({ name }) => name)
        .join(', ')
        .slice(0, limits.titleLength),
      inputs: { folders: key, names: folders.map(({ name }) => name).join('\n'), way },
      jobId,
    })
  return (
    <div className={styles.stack}>
      <Panel>
        <div className={styles.steps}>
          <p>{t('lead')}</p>
          <ChosenFolders folders={folders} onChange={setFolders} />
          <Button
            size="large"
            type={folders.length === 0 ? 'primary' : 'default'}
            disabled={folders.length >= maskLimits.folders}
            onClick={() => setChoosing(true)}
          >
            {t(folders.length === 0 ? 'toolbox:chooseFolder' : 'add')}
          </Button>
          {folders.length > 0 && (
            <Segmented
              value={way}
              options={ways.map((value) => ({ value, label: t(`way.${value}`) }))}
              onChange={setWay}
              aria-label={t('way.label')}
            />
          )}
        </div>
      </Panel>
      <Works which="open" />
      {folders.length > 0 && way === 'make' && (
        <Algebra key={key} folders={folders} onStarted={({ id }) => keep(id)} />
      )}
      {folders.length > 0 && way === 'measure' && (
        <Measures key={key} folders={folders} onMeasured={() => keep(null)} />
      )}
      <Works which="ended" />
      <SourcePicker
        open={isChoosing}
        busy={false}
        isOnlyFolder
        title={t('what')}
        okText={t('toolbox:takeFolder')}
        onPick={(_, [entry]) => {
          setChoosing(false)
          if (entry && !folders.some(({ id }) => id === entry.id))
            setFolders([...folders, { id: entry.id, name: entry.name }])
        }}
        onClose={() => setChoosing(false)}
      />
    </div>
  )
}

/** Those of an earlier use. */
function foldersIn({ folders = '', names = '' }: Readonly<Record<string, string>>): ChosenFolder[] {
  const called = names.split('\n')
  return folders
    .split(',')
    .filter((id) => id !== '')
    .map((id, index) => ({ id, name: called[index] ?? '' }))
}
