import type { LabelSet } from '@neuroloom/contract/labelling/labelling'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../lib/api.ts'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { Panel } from '../../../ui/page.tsx'
import type { Draft } from './draft.ts'
import { SetFields, wrongIn } from './set-fields.tsx'
import styles from './sets.module.css'

const draftOf = ({ name, description, marks, oneTag, blind, classes }: LabelSet): Draft => ({
  ...{ name, description, marks, oneTag, blind, classes },
})

/** Names, classes, and who sees what of a set that is there. */
export function SetSettings({ set }: { set: LabelSet }) {
  const { t } = useTranslation('labelling')
  const [draft, setDraft] = useState(() => draftOf(set))
  const [isTried, setIsTried] = useState(false)
  const change = useAction('labelling/change', {
    quiet: true,
    refresh: ['labelling/detail', 'labelling/list', 'labelling/agreement'],
    onDone: () => toast.success(t('form.saved')),
  })
  const save = () => {
    setIsTried(true)
    const { lacks, problem } = wrongIn(draft)
    if (lacks.length === 0 && !problem) change.mutate({ ...draft, id: set.id })
  }
  const restore = () => {
    change.reset()
    setDraft(draftOf(set))
  }
  return (
    <Panel>
      <div className={styles.form}>
        <SetFields
          draft={draft}
          isTried={isTried}
          onChange={(changed) => setDraft({ ...draft, ...changed })}
        />
        {change.error && <Alert type="error" showIcon title={messageOf(change.error)} />}
        <div className={styles.add}>
          <Button type="primary" loading={change.isPending} onClick={save}>
            {t('form.save')}
          </Button>
          <Button onClick={restore}>{t('form.restore')}</Button>
        </div>
      </div>
    </Panel>
  )
}
