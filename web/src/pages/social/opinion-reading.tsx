import { CheckOutlined } from '@ant-design/icons'
import { client, files as fileLimits } from '@neuroloom/contract/limits'
import type { Opinion, Outline } from '@neuroloom/contract/social/opinions'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Shown } from '../../features/files/viewer/file-view.tsx'
import type { Mark } from '../../features/files/viewer/measure/marks.ts'
import { type SharedMarks, SharedMarksContext } from '../../features/files/viewer/measure/shared-marks.ts'
import { plainView } from '../../features/files/viewer/view-address.ts'
import { StudyAnswer } from '../../features/social/opinions/study-answer.tsx'
import { useCall } from '../../lib/query.ts'
import { addressOf, nothingOver, rounded } from './image-only.ts'
import styles from './opinion.module.css'

/** Reads the studies one after the other: the image, and beside it the answers. */
export function OpinionReading({ opinion }: { opinion: Opinion }) {
  const { t } = useTranslation('social-opinions')
  const { studies, own } = opinion
  const isAnswered = (position: number): boolean => own.some((one) => one.position === position)
  const firstOpen = studies.find(({ position }) => !isAnswered(position))?.position ?? 0
  const [position, setPosition] = useState(firstOpen)
  return (
    <section className={styles.reading} aria-label={t('reading')}>
      {studies.length > 1 && (
        <nav className={styles.studies} aria-label={t('studies')}>
          {studies.map(({ position: at, title }) => (
            <Button
              key={at}
              size="small"
              type={at === position ? 'primary' : 'default'}
              aria-current={at === position}
              title={title}
              icon={isAnswered(at) ? <CheckOutlined aria-label={t('isAnswered')} /> : undefined}
              onClick={() => setPosition(at)}
            >
              {at + 1}
            </Button>
          ))}
        </nav>
      )}
      <Study
        key={position}
        opinion={opinion}
        position={position}
        onAnswered={(next) => {
          const after = [...next.studies.slice(position + 1), ...next.studies]
          const open = after.find((study) => !next.own.some((one) => one.position === study.position))
          if (open) setPosition(open.position)
        }}
      />
    </section>
  )
}

type StudyProps = { opinion: Opinion; position: number; onAnswered: (opinion: Opinion) => void }

function Study({ opinion, position, onAnswered }: StudyProps) {
  const { t } = useTranslation('social-opinions')
  const title = opinion.studies.find((one) => one.position === position)?.title ?? ''
  const known = opinion.own.find((one) => one.position === position)?.outline ?? null
  const [outline, setOutline] = useState<Outline | null>(known)
  const query = useCall(
    'opinion/view',
    { opinionId: opinion.id, position },
    {
      ...{ quiet: true, keepPrevious: true, staleTime: fileLimits.linkMs / 2 },
      refetchInterval: ({ state }) => (state.data?.state === 'preparing' ? client.pollMs : false),
    },
  )
  const isSeries = query.data?.series?.isShown ?? false
  const place = useMemo(
    () => ({ isSeries, start: plainView, title, isImageOnly: true, over: nothingOver, addressOf }),
    [isSeries, title],
  )
  const marks = useOutline({ outline, setOutline, canSet: opinion.hasOutline, author: t('you') })
  return (
    <div className={styles.study}>
      <SharedMarksContext value={marks}>
        <Shown query={query} place={place} />
      </SharedMarksContext>
      <StudyAnswer opinion={opinion} position={position} outline={outline} onAnswered={onAnswered} />
    </div>
  )
}

type OutlineOptions = {
  outline: Outline | null
  setOutline: (outline: Outline | null) => void
  canSet: boolean
  author: string
}

/** One closed line, drawn with the viewer's polygon or by hand; a new one takes the place of the last. */
function useOutline({ outline, setOutline, canSet, author }: OutlineOptions): SharedMarks {
  return useMemo(() => {
    const list: Mark[] = outline ? [{ ...outline, kind: 'polygon', number: 1, name: '' }] : []
    return {
      list,
      change: (deed) => {
        if (deed.deed === 'remove' || deed.deed === 'clear') setOutline(null)
        if (deed.deed === 'move' && outline) setOutline({ ...outline, points: deed.points.map(rounded) })
        if (deed.deed !== 'add') return
        const { plane, slice, frame, points } = deed.mark
        setOutline({ plane, slice, frame, points: points.map(rounded) })
      },
      canSet,
      canChange: () => canSet,
      canRemove: () => canSet,
      authorOf: () => author,
      nameLength: 0,
      kinds: ['polygon', 'freehand'],
    }
  }, [outline, setOutline, canSet, author])
}
