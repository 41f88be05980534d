import { Modal, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAllPages } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { StudyMark } from '../studies/study-mark.tsx'
import styles from './project.module.css'

type Props = {
  /** In the project already. */
  taken: ReadonlySet<string>
  isBusy: boolean
  onPick: (studyId: string) => void
  onClose: () => void
}

/** One of the member's own studies. */
export function PickStudy({ taken, isBusy, onPick, onClose }: Props) {
  const { t } = useTranslation(['flow-project', 'common'])
  const [picked, setPicked] = useState<string | null>(null)
  const { data, error, refetch, hasNextPage } = useAllPages('flow/studies', {})
  const isWhole = data !== undefined && !hasNextPage
  const free = data?.pages.flatMap((page) => page.studies).filter(({ id }) => !taken.has(id)) ?? []
  return (
    <Modal
      open
      centered
      width={520}
      title={t('studies.pickTitle')}
      okText={t('studies.pickAdd')}
      okButtonProps={{ disabled: picked === null, loading: isBusy }}
      cancelText={t('common:cancel')}
      onOk={() => picked !== null && onPick(picked)}
      onCancel={onClose}
    >
      {error && !data && <ErrorState error={error} retry={() => void refetch()} />}
      {!error && !isWhole && <Loading shape="rows" count={3} />}
      {isWhole && free.length === 0 && <p>{t('studies.pickNone')}</p>}
      <Radio.Group
        className={styles.picks ?? ''}
        aria-label={t('studies.pickTitle')}
        value={picked}
        onChange={({ target }) => setPicked(target.value)}
      >
        {free.map(({ id, name, state }) => (
          <Radio key={id} value={id}>
            <span className={styles.pick}>
              {name} <StudyMark state={state} />
            </span>
          </Radio>
        ))}
      </Radio.Group>
    </Modal>
  )
}
