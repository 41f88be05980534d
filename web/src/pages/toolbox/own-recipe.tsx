import { files as limits } from '@neuroloom/contract/limits'
import type { OwnTool } from '@neuroloom/contract/toolbox/own-tools'
import { Button, Checkbox } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SourcePicker } from '../../features/files/source-picker.tsx'
import { BeginWork } from '../../features/recipes/begin-work.tsx'
import { Counts } from '../../features/recipes/counts.tsx'
import { DicomChoice, likelyMasks, MaskChoice } from '../../features/recipes/image-choices.tsx'
import { LookPanel } from '../../features/recipes/look-panel.tsx'
import recipes from '../../features/recipes/recipes.module.css'
import { Samples } from '../../features/recipes/samples.tsx'
import { Works } from '../../features/recipes/works.tsx'
import own from '../../features/toolbox/own/own.module.css'
import { ToolForm } from '../../features/toolbox/own/tool-form.tsx'
import { valuesOf } from '../../features/toolbox/own/values.ts'
import styles from '../../features/toolbox/toolbox.module.css'
import { useInputs } from '../../features/toolbox/use-inputs.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { useSettled } from '../../ui/hooks/use-settled.ts'
import { Loading } from '../../ui/loading.tsx'
import { Panel } from '../../ui/page.tsx'

type Folder = { id: string; name: string }

/** A tool made of a recipe: on which folder, with which of the settings that were left open; the look before it begins. */
export function RecipeTool({ tool }: { tool: OwnTool }) {
  const { t } = useTranslation(['own-tools', 'toolbox'])
  const inputs = useInputs()
  const [folder, setFolder] = useState<Folder | null>(
    inputs.folder ? { id: inputs.folder, name: inputs.name ?? '' } : null,
  )
  const [isChoosing, setChoosing] = useState(false)
  return (
    <>
      <Works which="open" />
      <Panel>
        <div className={styles.steps}>
          <p>{folder ? t('chosen', { name: folder.name }) : t('recipe.lead')}</p>
          <Button
            size="large"
            {...(folder ? {} : { type: 'primary' as const })}
            onClick={() => setChoosing(true)}
          >
            {t(folder ? 'toolbox:chooseOther' : 'toolbox:chooseFolder')}
          </Button>
        </div>
      </Panel>
      {folder && <OnFolder key={folder.id} tool={tool} folder={folder} settings={inputs.settings} />}
      <Works which="ended" />
      <SourcePicker
        open={isChoosing}
        busy={false}
        isOnlyFolder
        title={t('recipe.what')}
        okText={t('toolbox:takeFolder')}
        onPick={(_, [entry]) => {
          setChoosing(false)
          if (entry) setFolder(entry)
        }}
        onClose={() => setChoosing(false)}
      />
    </>
  )
}

type OnFolderProps = { tool: OwnTool; folder: Folder; settings: string | undefined }

function OnFolder({ tool, folder, settings }: OnFolderProps) {
  const { t } = useTranslation(['recipes', 'own-tools'])
  const [values, setValues] = useState(() => valuesOf(tool.fields, settings))
  const [isBelow, setBelow] = useState(true)
  const [maskIds, setMaskIds] = useState<string[] | null>(null)
  const [dicom, setDicom] = useState<'pictures' | 'volumes'>('pictures')
  const [turn, setTurn] = useState(0)
  const asked = useSettled(values)
  const where = { folderId: folder.id, below: isBelow, maskIds: maskIds ?? [], dicom }
  const body = { id: tool.id, settings: asked, ...where, turn }
  const query = useCall('toolbox/tryTool', body, { quiet: true, keepPrevious: true, staleTime: 60_000 })
  const start = useAction('toolbox/prepareByTool', { refresh: ['recipes/works', 'toolbox/history'] })
  const tried = query.data
  // Once, from the names of the folders; afterwards it is the member's choice.
  useEffect(() => {
    if (maskIds === null && tried) setMaskIds(likelyMasks(tried))
  }, [maskIds, tried])
  if (query.isError && !tried) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (!tried) return <Loading shape="page" />
  return (
    <div className={recipes.darkroom}>
      <Panel title={t('own-tools:settings')}>
        <div className={own.make}>
          <ToolForm fields={tool.fields} values={values} onChange={setValues} />
          <MaskChoice tried={tried} maskIds={maskIds ?? []} onChange={setMaskIds} />
          {tried.counts.dicom > 0 && <DicomChoice value={dicom} onChange={setDicom} />}
          <Checkbox checked={isBelow} onChange={({ target }) => setBelow(target.checked)}>
            {t('below')}
          </Checkbox>
        </div>
      </Panel>
      <div className={recipes.right}>
        <Panel>
          <Counts tried={tried} />
          <BeginWork
            proposed={`${folder.name} – ${tool.name}`.slice(0, limits.nameLength)}
            label={t('own-tools:run')}
            isReady
            isPending={start.isPending}
            onBegin={(name) => start.mutate({ id: tool.id, ...where, settings: values, name })}
          />
        </Panel>
        <LookPanel isFetching={query.isFetching} onAnother={() => setTurn(turn + 1)}>
          {query.isError && <ErrorState error={query.error} retry={() => void query.refetch()} />}
          <Samples samples={tried.samples} isOld={query.isPlaceholderData || asked !== values} />
        </LookPanel>
      </div>
    </div>
  )
}
