import type { ExportedFacts } from '@neuroloom/contract/exported'
import { namedBy } from '@neuroloom/contract/named'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { AreasView } from './areas-view.tsx'
import { BoxesView } from './boxes-view.tsx'
import { Canvas } from './canvas.tsx'
import { ProbabilitiesView } from './probabilities-view.tsx'
import { RestoredView } from './restored-view.tsx'
import type { Shown } from './shown.ts'
import styles from './try.module.css'
import type { TryState } from './use-try.ts'

type Props = {
  state: TryState
  facts: ExportedFacts
  shown: Shown
  className: (name: string) => string
  onTurn: () => void
}

/** The picture and, once it is known, the network's answer in the form of its task. */
export function AnswerView({ state, facts, shown, className, onTurn }: Props) {
  const { t } = useTranslation('try')
  return (
    <div className={styles.answer}>
      <Answered {...{ state, facts, shown, className }} />
      <div className={styles.tools}>
        <Button look="quiet" onClick={onTurn} disabled={state.isBusy}>
          {t('turn')}
        </Button>
      </div>
    </div>
  )
}

function Answered({ state: { answer, name }, facts, shown, className }: Omit<Props, 'onTurn'>) {
  const { t } = useTranslation('try')
  const classes = facts.classes.map(className)
  if (answer === null) return <Canvas shown={shown} label={name} />
  switch (answer.kind) {
    case 'classes':
    case 'labels':
      return (
        <div className={styles.beside}>
          <Canvas shown={shown} label={name} />
          <ProbabilitiesView
            probabilities={answer.probabilities}
            named={namedBy(facts, answer.probabilities, answer.kind)}
            classes={classes}
            kind={answer.kind}
          />
        </div>
      )
    case 'areas':
      return <AreasView {...{ answer, shown, classes, name, facts }} />
    case 'boxes':
      return <BoxesView {...{ answer, shown, classes, name, facts }} />
    case 'picture':
      return (
        <RestoredView
          {...{ shown, name }}
          picture={answer.picture}
          text={t(facts.task === 'denoising' ? 'restored.denoised' : 'restored.enlarged', {
            width: answer.picture.width,
            height: answer.picture.height,
          })}
        />
      )
  }
}
