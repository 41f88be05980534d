import { rounds as limits } from '@neuroloom/contract/limits'
import type { Round } from '@neuroloom/contract/social/rounds'
import { Alert, Button, Checkbox, Input } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAction } from '../../../lib/query.ts'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'
import { Panel } from '../../../ui/page.tsx'
import styles from './rounds.module.css'

export type PickedStudy = { id: string; name: string }
/** Chooses an image of one's own cloud. */
export type StudyPicker = (props: {
  open: boolean
  onPick: (study: PickedStudy) => void
  onClose: () => void
}) => ReactNode

type Props = { chatId: string; picker: StudyPicker; onOpened: (round: Round) => void }

/** Which image is shown, under which title, and the owner's word that it names nobody. */
export function OpenRound({ chatId, picker: Picker, onOpened }: Props) {
  const { t } = useTranslation('social-rounds')
  const [study, setStudy] = useState<PickedStudy | null>(null)
  const [title, setTitle] = useState('')
  const [series, setSeries] = useState(false)
  const [allMark, setAllMark] = useState(false)
  const [isChecked, setIsChecked] = useState(false)
  const [isPicking, setIsPicking] = useState(false)
  const field = useId()
  const { mutate, error, isPending } = useAction('round/open', {
    refresh: ['round/list'],
    quiet: true,
    onDone: onOpened,
  })
  const isReady = study !== null && title.trim() !== '' && isChecked
  return (
    <Panel>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) mutate({ chatId, fileId: study.id, title, series, allMark, isChecked })
        }}
      >
        <div className={styles.study}>
          <Button onClick={() => setIsPicking(true)}>{t('new.choose')}</Button>
          <span>{study?.name ?? t('new.none')}</span>
        </div>
        {study && isSlice(study.name) && (
          <Checkbox checked={series} onChange={({ target }) => setSeries(target.checked)}>
            {t('new.series')}
          </Checkbox>
        )}
        <div>
          <label htmlFor={field}>{t('new.title')}</label>
          <Input
            id={field}
            maxLength={limits.titleLength}
            placeholder={t('new.titleExample')}
            value={title}
            onChange={({ target }) => setTitle(target.value)}
          />
          <small>{t('new.titleText')}</small>
        </div>
        <Checkbox checked={allMark} onChange={({ target }) => setAllMark(target.checked)}>
          {t('new.allMark')}
        </Checkbox>
        <Checkbox checked={isChecked} onChange={({ target }) => setIsChecked(target.checked)}>
          {t('new.isChecked')}
        </Checkbox>
        {error && (
          <Alert
            type="error"
            showIcon
            title={<RefusalText error={error} />}
            action={
              error.name === 'shown_study_patient' ? (
                <Link to="/cloudHome">{t('new.toCloud')}</Link>
              ) : undefined
            }
          />
        )}
        <div>
          <Button type="primary" htmlType="submit" disabled={!isReady} loading={isPending}>
            {t('new.open')}
          </Button>
        </div>
        <p className={styles.note}>{t('new.text')}</p>
      </form>
      <Picker
        open={isPicking}
        onPick={(picked) => {
          setStudy(picked)
          setIsPicking(false)
        }}
        onClose={() => setIsPicking(false)}
      />
    </Panel>
  )
}

/** As DICOM slices are called: by their ending, a number or nothing. */
const isSlice = (name: string): boolean => /(^[^.]+|\.(dcm|dicom|ima|\d+))$/i.test(name)
