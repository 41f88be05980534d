import type { Algebra as AlgebraWork } from '@neuroloom/contract/recipes/algebra'
import { maskStepSchema } from '@neuroloom/contract/recipes/mask-steps'
import type { Recipe } from '@neuroloom/contract/recipes/recipe'
import type { Preparation } from '@neuroloom/contract/recipes/recipes'
import { Alert } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction, useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useSettled } from '../../../ui/hooks/use-settled.ts'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Panel } from '../../../ui/page.tsx'
import { BeginWork } from '../begin-work.tsx'
import { LookPanel } from '../look-panel.tsx'
import shared from '../recipes.module.css'
import styles from './algebra.module.css'
import type { ChosenFolder } from './chosen.ts'
import { type JoinChoice, JoinForm } from './join-form.tsx'
import { MaskSamples } from './mask-samples.tsx'
import { Readers } from './readers.tsx'
import { Told } from './told.tsx'

type AlgebraProps = { folders: readonly ChosenFolder[]; onStarted: (work: Preparation) => void }

/** How masks are joined and mended on the left, on the right what comes of nine of them; above these what will fail. */
export function Algebra({ folders, onStarted }: AlgebraProps) {
  const { t } = useTranslation(['algebra', 'recipes'])
  const [choice, setChoice] = useState<JoinChoice>({ join: 'union', classes: 'each' })
  const [recipe, setRecipe] = useState<Recipe>({ v: 1, steps: [] })
  const [turn, setTurn] = useState(0)
  const settled = useSettled(recipe)
  const work = { folderIds: folders.map(({ id }) => id), ...choice }
  const body = { ...work, steps: stepsOf(settled), turn }
  const query = useCall('recipes/tryAlgebra', body, { quiet: true, keepPrevious: true, staleTime: 60_000 })
  const start = useAction('recipes/start', { refresh: ['recipes/works'], onDone: onStarted })
  const seen = query.data
  const isNothing = folders.length === 1 && recipe.steps.length === 0 && choice.classes === 'each'
  if (query.isError && !seen) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (!seen) return <Loading shape="page" />
  return (
    <div className={shared.darkroom}>
      <JoinForm {...{ folders, seen, choice, recipe }} onChoice={setChoice} onRecipe={setRecipe} />
      <div className={shared.right}>
        <Panel>
          <Told seen={seen} />
          <BeginWork
            proposed={t('result', { name: folders[0]?.name ?? '' })}
            label={t('start')}
            isReady={!isNothing}
            isPending={start.isPending}
            text={t(isNothing ? 'nothingYet' : 'recipes:start.text')}
            onBegin={(name) =>
              start.mutate({ work: { kind: 'algebra', ...work, steps: stepsOf(recipe) }, name })
            }
          />
        </Panel>
        <LookPanel isFetching={query.isFetching} onAnother={() => setTurn(turn + 1)}>
          <div className={styles.stack}>
            {query.isError && <Alert type="error" showIcon title={<RefusalText error={query.error} />} />}
            {inPixels(seen, recipe) && <Alert type="info" showIcon title={t('inPixels')} />}
            <MaskSamples seen={seen} isOld={query.isPlaceholderData || settled !== recipe} />
            {seen.readers.length > 0 && (
              <Readers scores={seen.readers} names={folders.map(({ name }) => name)} isOfSamples />
            )}
          </div>
        </LookPanel>
      </div>
    </div>
  )
}

const stepsOf = ({ steps }: Recipe): AlgebraWork['steps'] =>
  steps.flatMap((step) => maskStepSchema.safeParse(step).data ?? [])

/** A distance or size is chosen, and some masks do not say how large a pixel is. */
const inPixels = (seen: Parameters<typeof Told>[0]['seen'], { steps }: Recipe): boolean =>
  steps.some((step) => step.do === 'grow' || (step.do === 'pieces' && step.how === 'least')) &&
  seen.samples.some(({ hasSpacing }) => !hasSpacing)
