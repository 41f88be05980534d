import { DatabaseOutlined, FileImageOutlined, TagsOutlined } from '@ant-design/icons'
import type { Dataset } from '@neuroloom/contract/datasets'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../../lib/class-name.ts'
import styles from '../../../ui/choice.module.css'
import { ChoiceOption } from '../../../ui/choice-option.tsx'

type Props = {
  label: string
  datasets: readonly Dataset[]
  chosen: string | null
  onChoose: (id: string) => void
  /** A sentence below one of the data sets, for example that only its held-out part is used. */
  note?: (dataset: Dataset) => string | null
}

/** Exactly one data set; choosing it chooses its image part and its label part together. */
export function DatasetChoice({ label, datasets, chosen, onChoose, note }: Props) {
  const name = useId()
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.list}>
        {datasets.map((dataset) => (
          <ChoiceOption
            key={dataset.id}
            group={name}
            id={dataset.id}
            title={
              <>
                <DatabaseOutlined aria-hidden /> {dataset.name}
              </>
            }
            about={<DatasetText dataset={dataset} note={note?.(dataset) ?? null} />}
            isChosen={dataset.id === chosen}
            onChoose={() => onChoose(dataset.id)}
          />
        ))}
      </div>
    </fieldset>
  )
}

function DatasetText({ dataset, note }: { dataset: Dataset; note: string | null }) {
  const { t } = useTranslation('runs')
  const classNameOf = useClassName(dataset.task ?? 'classification')
  const context = dataset.task ?? ''
  const image = dataset.parts.find(({ part }) => part === 'image')
  const label = dataset.parts.find(({ part }) => part === 'label')
  return (
    <>
      <span className={styles.parts}>
        <span>
          <FileImageOutlined aria-hidden /> {t('train.imagePart', { count: image?.items ?? 0, context })}
        </span>
        <span>
          <TagsOutlined aria-hidden /> {t('train.labelPart', { count: label?.items ?? 0, context })}
        </span>
      </span>
      {dataset.classes.length > 0 ? (
        <span className={styles.note}>
          {t('train.classes', { names: dataset.classes.map(classNameOf).join(', ') })}
        </span>
      ) : null}
      {note ? <span className={styles.note}>{note}</span> : null}
    </>
  )
}
