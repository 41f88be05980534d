import { useTranslation } from 'react-i18next'
import styles from './compute.module.css'
import type { Field, Problem } from './draft.ts'

type Props = { problems: readonly Problem[]; field: Field }

/** What stands in the way of one field, below it. */
export function Refusals({ problems, field }: Props) {
  const { t } = useTranslation(['flow-project', 'flow-options'])
  return problems
    .filter((one) => one.field === field)
    .map((one) => {
      const text = 'said' in one ? one.said : t(one.text, one.params)
      return (
        <p key={text} className={styles.refused} role="alert">
          {text}
        </p>
      )
    })
}
