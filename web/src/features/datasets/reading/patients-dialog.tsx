import type { Dataset } from '@neuroloom/contract/datasets'
import type { PatientOrigin, PatientRule } from '@neuroloom/contract/reading/patient-rule'
import { Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChoiceOption } from '../../../ui/choice-option.tsx'
import { NamePicker } from './name-picker.tsx'
import { PatientGroups } from './patient-groups.tsx'
import { usePatientWords } from './patient-words.ts'
import styles from './patients.module.css'
import { useReadAs } from './use-read-as.ts'

type Props = { dataset: Dataset; origin: PatientOrigin; onClose: () => void }
/** Of the options by their place; `point`: a part of a name that is pointed at. */
type Choice = 'found' | 'none' | 'point' | number

/** Decides how the patients of a data set are told apart; the folder is looked at again with it. */
export function PatientsDialog({ dataset, origin, onClose }: Props) {
  const { t } = useTranslation(['reading', 'common'])
  const { way, line } = usePatientWords()
  const [choice, setChoice] = useState<Choice>(() => choiceNow(origin))
  const [pointed, setPointed] = useState<PatientRule | null>(null)
  const decide = useReadAs(onClose)
  const options = optionsOf(origin)
  const rule = ruleOf(choice, { options, pointed })
  const option = (id: Choice, title: string, about: string, told?: PatientRule) => (
    <ChoiceOption
      key={id}
      group="patients"
      id={String(id)}
      title={title}
      about={about}
      foot={told && <PatientGroups datasetId={dataset.id} rule={told} />}
      isChosen={choice === id}
      onChoose={() => setChoice(id)}
    />
  )
  return (
    <Modal
      open
      width={720}
      title={t('dialog.title', { name: dataset.name })}
      okText={t('dialog.decide')}
      okButtonProps={{ disabled: rule === undefined, loading: decide.isPending }}
      cancelText={t('common:cancel')}
      onOk={() => {
        if (rule === undefined) return
        decide.mutate({ id: dataset.id, reading: { ...dataset.reading, patients: rule } })
      }}
      onCancel={onClose}
    >
      <p className={styles.about}>{t('dialog.text')}</p>
      <fieldset className={styles.choices}>
        <legend>{t('dialog.legend')}</legend>
        {origin.isChosen
          ? option('found', t('dialog.found'), t('dialog.foundAbout'))
          : option('found', t('dialog.found'), line(origin), origin.patients > 0 ? origin.rule : undefined)}
        {options.map((one, index) => option(index, way(one), line(one), one.rule))}
        {option('point', t('dialog.point'), t('dialog.pointAbout'))}
        {choice === 'point' && <NamePicker dataset={dataset} origin={origin} onPoint={setPointed} />}
        {option('none', t('dialog.none'), t('dialog.noneAbout'))}
      </fieldset>
    </Modal>
  )
}

type Option = PatientOrigin['options'][number]

/** What was decided before comes first. */
function optionsOf(origin: PatientOrigin): Option[] {
  const isOne = origin.isChosen && origin.rule.by !== 'none'
  return isOne ? [origin, ...origin.options] : origin.options
}

function choiceNow({ isChosen, rule }: PatientOrigin): Choice {
  if (!isChosen) return 'found'
  return rule.by === 'none' ? 'none' : 0
}

/** Null = as found; undefined = not decided yet. */
function ruleOf(
  choice: Choice,
  { options, pointed }: { options: readonly Option[]; pointed: PatientRule | null },
): PatientRule | null | undefined {
  if (choice === 'found') return null
  if (choice === 'none') return { by: 'none' }
  return (choice === 'point' ? pointed : options[choice]?.rule) ?? undefined
}
