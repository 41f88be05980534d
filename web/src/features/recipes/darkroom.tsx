import { recipes as limits } from '@neuroloom/contract/limits'
import type { Recipe } from '@neuroloom/contract/recipes/recipe'
import type { KeptRecipe, Preparation } from '@neuroloom/contract/recipes/recipes'
import { stepGroups } from '@neuroloom/contract/recipes/step-groups'
import { Checkbox } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction, useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { useSettled } from '../../ui/hooks/use-settled.ts'
import { Loading } from '../../ui/loading.tsx'
import { Panel } from '../../ui/page.tsx'
import { AddStep } from './add-step.tsx'
import { BeginWork } from './begin-work.tsx'
import { Counts } from './counts.tsx'
import { DicomChoice, likelyMasks, MaskChoice } from './image-choices.tsx'
import { KeptRecipes } from './kept-recipes.tsx'
import { LookPanel } from './look-panel.tsx'
import styles from './recipes.module.css'
import { Samples } from './samples.tsx'
import { StepList } from './step-list.tsx'
import { added } from './steps.ts'

type DarkroomProps = {
  folderId: string
  name: string
  /** Told of the work that began. */
  onStarted: (work: Preparation) => void
  /** Of an own kept recipe. */
  onMakeTool: (kept: KeptRecipe) => void
}

/** The steps on the left, on the right what comes of nine images; above them the counts and one button. */
export function Darkroom({ folderId, name, onStarted, onMakeTool }: DarkroomProps) {
  const { t } = useTranslation('recipes')
  const [recipe, setRecipe] = useState<Recipe>({ v: 1, steps: [] })
  const [isBelow, setBelow] = useState(true)
  const [maskIds, setMaskIds] = useState<string[] | null>(null)
  const [dicom, setDicom] = useState<'pictures' | 'volumes'>('pictures')
  const [turn, setTurn] = useState(0)
  const asked = useSettled(recipe)
  const body = { folderId, below: isBelow, maskIds: maskIds ?? [], dicom, recipe: asked, turn }
  const query = useCall('recipes/try', body, { quiet: true, keepPrevious: true, staleTime: 60_000 })
  const start = useAction('recipes/start', { refresh: ['recipes/works'], onDone: onStarted })
  const tried = query.data
  // Once, from the names of the folders; afterwards it is the member's choice.
  useEffect(() => {
    if (maskIds === null && tried) setMaskIds(likelyMasks(tried))
  }, [maskIds, tried])
  if (query.isError && !tried) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (!tried) return <Loading shape="page" />
  const { steps } = recipe
  return (
    <div className={styles.darkroom}>
      <Panel
        title={t('steps.title')}
        extra={
          <AddStep
            groups={stepGroups}
            isFull={steps.length >= limits.steps}
            hasTiles={steps.at(-1)?.do === 'tiles'}
            usual={tried.usual}
            onAdd={(step) => setRecipe(added(recipe, step))}
          />
        }
      >
        <StepList recipe={recipe} colours={tried.colours} sizes={tried} onChange={setRecipe} />
        <MaskChoice tried={tried} maskIds={maskIds ?? []} onChange={setMaskIds} />
        {tried.counts.dicom > 0 && <DicomChoice value={dicom} onChange={setDicom} />}
        <Checkbox checked={isBelow} onChange={({ target }) => setBelow(target.checked)}>
          {t('below')}
        </Checkbox>
        <KeptRecipes recipe={recipe} onTake={setRecipe} onMakeTool={onMakeTool} />
      </Panel>
      <div className={styles.right}>
        <Panel>
          <Counts tried={tried} />
          <BeginWork
            proposed={t('result.recipe', { name })}
            label={t('start.recipe')}
            isReady={steps.length > 0}
            isPending={start.isPending}
            onBegin={(result) =>
              start.mutate({
                work: { kind: 'recipe', folderId, below: isBelow, maskIds: maskIds ?? [], dicom, recipe },
                name: result,
              })
            }
          />
        </Panel>
        <LookPanel isFetching={query.isFetching} onAnother={() => setTurn(turn + 1)}>
          {query.isError && <ErrorState error={query.error} retry={() => void query.refetch()} />}
          <Samples samples={tried.samples} isOld={query.isPlaceholderData || asked !== recipe} />
        </LookPanel>
      </div>
    </div>
  )
}
