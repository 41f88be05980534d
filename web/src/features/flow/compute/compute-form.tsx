import type { Run } from '@neuroloom/contract/runs'
import { Alert, Button, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../ui/page.tsx'
import type { ProjectStudy } from '../project/study-row.tsx'
import styles from './compute.module.css'
import { CorrectionsPart } from './corrections-part.tsx'
import { askedOf, correctedFor, type Draft, type Problem, problemsOf, startOf } from './draft.ts'
import { KindsPart } from './kinds-part.tsx'
import { MaskPart, type MaskPicker } from './mask-part.tsx'
import { OptionsPart } from './options-part.tsx'
import { Refusals } from './refusals.tsx'
import { useStart } from './use-start.ts'

/** With its size: of one that is ready. */
export type ReadyStudy = ProjectStudy & { size: [number, number, number]; frames: number }

type Props = {
  projectId: string
  studies: readonly ReadyStudy[]
  study: ReadyStudy
  onStudy: (studyId: string) => void
  /** What the form begins with; the number of the run that it comes from. */
  begin: Draft
  beginNumber: number | null
  picker: MaskPicker
  onStarted: (run: Run) => void
}

/** From a study to a queued run: each section with a safe start value. */
export function ComputeForm({ projectId, studies, study, onStudy, picker, onStarted, ...props }: Props) {
  const { t } = useTranslation(['flow-project', 'flow-options'])
  const [draft, setDraft] = useState(props.begin)
  const { start, refused, forget, isPending } = useStart(onStarted)
  const change = (patch: Partial<Draft>) => {
    forget()
    setDraft((before) => ({ ...before, ...patch }))
  }
  const isSharpened = study.source === 'sharpened'
  const own = problemsOf(draft, study)
  const problems = refused && 'problem' in refused ? [...own, refused.problem] : own
  return (
    <div className={styles.form}>
      {props.beginNumber !== null && (
        <p className={styles.remembered}>
          {t('form.remembered', { number: props.beginNumber })}
          <Button type="link" onClick={() => change(startOf(isSharpened))}>
            {t('form.startValues')}
          </Button>
        </p>
      )}
      <Section name="study">
        <Select
          className={styles.study ?? ''}
          aria-label={t('form.study')}
          value={study.id}
          options={studies.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => {
            forget()
            const isOther = studies.find((one) => one.id === id)?.source === 'sharpened'
            if (isOther !== isSharpened) setDraft((before) => correctedFor(before, isOther))
            onStudy(id)
          }}
        />
        <Refusals problems={problems} field="study" />
      </Section>
      <Section name="corrections">
        {isSharpened && <Alert type="info" showIcon title={t('form.sharpened')} />}
        <CorrectionsPart value={draft.corrections} onChange={(corrections) => change({ corrections })} />
      </Section>
      <Section name="mask">
        <MaskPart
          value={draft.mask}
          problems={problems}
          picker={picker}
          onChange={(mask) => change({ mask })}
        />
      </Section>
      <Section name="kinds">
        <KindsPart value={draft.kinds} problems={problems} onChange={(kinds) => change({ kinds })} />
      </Section>
      <Section name="options">
        <OptionsPart value={draft} problems={problems} onChange={change} />
      </Section>
      <div className={styles.start}>
        <Button
          type="primary"
          size="large"
          disabled={own.length > 0}
          loading={isPending}
          onClick={() => start({ projectId, studyId: study.id, asked: askedOf(draft, study.size) })}
        >
          {t('form.start')}
        </Button>
        {refused && 'message' in refused ? (
          <p className={styles.refused} role="alert">
            {refused.message}
          </p>
        ) : (
          <Beside problems={problems} />
        )}
      </div>
    </div>
  )
}

type SectionProps = {
  name: 'study' | 'corrections' | 'mask' | 'kinds' | 'options'
  children: React.ReactNode
}

function Section({ name, children }: SectionProps) {
  const { t } = useTranslation('flow-project')
  return (
    <Panel title={t(`form.${name}`)}>
      <div className={styles.section}>
        <p className={styles.soft}>{t(`form.${name}Lead`)}</p>
        {children}
      </div>
    </Panel>
  )
}

/** Why the button does nothing, or what it does. */
function Beside({ problems }: { problems: readonly Problem[] }) {
  const { t } = useTranslation(['flow-project', 'flow-options'])
  if (problems.some(({ field }) => field === 'kinds'))
    return <p className={styles.refused}>{t('flow-options:refused.kind_missing')}</p>
  if (problems.length > 0) return <p className={styles.refused}>{t('form.refusedAt')}</p>
  return <p className={styles.soft}>{t('form.startText')}</p>
}
